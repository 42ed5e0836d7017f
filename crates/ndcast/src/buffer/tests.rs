//! The pool: blocks that are used again, the limit, the cap, threads.

use super::*;

#[test]
fn sizes() {
    for (bytes, size) in [
        (0, Some(0)),
        (1, Some(64)),
        (64, Some(64)),
        (65, Some(128)),
        (1000, Some(1024)),
        (1025, Some(1280)),
        (LARGE - 1, Some(LARGE)),
        (LARGE + 1, Some(LARGE + HUGE_PAGE)),
        (144_000_000, Some(144 << 20)),
        (usize::MAX, None),
        (isize::MAX.unsigned_abs(), None),
    ] {
        assert_eq!(block_size(bytes), size, "{bytes}");
    }
    let mut before = (0, None);
    for bytes in (1..1 << 16).chain((1 << 16..1 << 30).step_by(12_345)).chain([(1 << 30) + 1, (3 << 30) + 5])
    {
        let size = block_size(bytes).unwrap();
        // Another size has another place.
        let now = (size, Some(place(size)));
        assert_eq!(now.0 > before.0, now.1 > before.1, "{bytes}");
        before = now;
        let lost = if bytes >= LARGE { HUGE_PAGE.max(bytes / 16) } else { bytes / 4 + ALIGNMENT };
        assert!((bytes..=bytes + lost).contains(&size) && size.is_multiple_of(ALIGNMENT), "{bytes}");
    }
}

#[test]
fn blocks_are_aligned_zeroed_and_writable() {
    let pool = Pool::new(1 << 30, 0);
    for bytes in [0, 1, 63, 64, 65, 1000, LARGE - 1, LARGE, LARGE + 12345, 40 << 20] {
        let mut buffer = pool.take(bytes).unwrap();
        assert_eq!(buffer.bytes().len(), bytes);
        let alignment = if bytes <= FEW { align_of::<Few>() } else { ALIGNMENT };
        assert_eq!(buffer.bytes().as_ptr().addr() % alignment, 0);
        assert!(buffer.bytes().iter().all(|&byte| byte == 0));
        buffer.bytes_mut().fill(7);
        assert!(buffer.bytes().iter().all(|&byte| byte == 7));
    }
    assert_eq!(pool.usage().in_use, 0);
}

#[test]
fn vectors_are_taken_over() {
    let elements = vec![1u32, 2, 3];
    let start = elements.as_ptr().addr();
    let mut buffer = Buffer::of(elements).unwrap();
    assert_eq!((buffer.bytes().as_ptr().addr(), buffer.len(), buffer.is_empty()), (start, 12, false));
    buffer.bytes_mut()[4] = 7;
    assert_eq!(buffer.bytes()[..8], [1, 0, 0, 0, 7, 0, 0, 0]);
    assert!(!format!("{buffer:?}").is_empty());
    assert!(Buffer::of(Vec::<u8>::new()).unwrap().is_empty());
    // A vector of none begins nowhere in particular, but on a multiple of 4.
    let none = Buffer::of(Vec::<[f32; 2]>::new());
    assert!(none.is_err() || none.unwrap().bytes().as_ptr().addr().is_multiple_of(8));
}

#[test]
fn blocks_are_used_again_up_to_the_cap() {
    let pool = Pool::new(1 << 30, 10 << 20);
    let (small, large) = (pool.take(100).unwrap(), pool.take(8 << 20).unwrap());
    let (first_small, first_large) = (small.bytes().as_ptr(), large.bytes().as_ptr());
    drop((small, large));
    assert_eq!(pool.usage().kept, 128 + (8 << 20));
    let (small, large) = (pool.take(128).unwrap(), pool.take((8 << 20) - 5).unwrap());
    assert_eq!((small.bytes().as_ptr(), large.bytes().as_ptr()), (first_small, first_large));
    assert_eq!((pool.usage().made, pool.usage().reused, pool.usage().kept), (2, 2, 0));
    // A second large one does not fit under the cap when both are dropped.
    let other = pool.take(8 << 20).unwrap();
    drop((large, other));
    assert_eq!(pool.usage().kept, 8 << 20);
    pool.set_cap(0);
    assert_eq!(pool.usage().kept, 0);
    drop(small);
    assert_eq!(pool.usage(), Usage { in_use: 0, kept: 0, ..pool.usage() });
}

#[test]
fn what_nobody_wants_any_more_makes_room_for_what_comes() {
    let pool = Pool::new(1 << 30, 10 << 20);
    for mebibytes in [3, 4, 2, 6] {
        drop(pool.take(mebibytes << 20).unwrap());
    }
    // With 3 and 4 there would be more than 10.
    assert_eq!(pool.usage().kept, 8 << 20);
    let used = pool.usage();
    for mebibytes in [6, 2, 6] {
        drop(pool.take(mebibytes << 20).unwrap());
    }
    assert_eq!((pool.usage().made, pool.usage().reused), (used.made, used.reused + 3));
    // Now 2 was wanted last before 6.
    drop(pool.take(3 << 20).unwrap());
    drop(pool.take(6 << 20).unwrap());
    assert_eq!((pool.usage().made, pool.usage().kept), (used.made + 1, 9 << 20));
    // What is larger than all that is kept goes alone.
    drop(pool.take(11 << 20).unwrap());
    assert_eq!(pool.usage().kept, 9 << 20);
}

#[test]
fn the_limit_holds_and_kept_blocks_make_room() {
    let pool = Pool::new(1 << 20, 1 << 20);
    drop(pool.take(900 << 10).unwrap());
    assert!(pool.usage().kept > 0);
    // What is kept and what is new together would pass the limit, so what is kept goes.
    let held = pool.take(500 << 10).unwrap();
    assert_eq!(pool.usage().kept, 0);
    let in_use = pool.usage().in_use;
    let error = pool.take(600 << 10).unwrap_err();
    assert_eq!(error, MemoryError { wanted: 600 << 10, in_use, limit: 1 << 20 });
    assert_eq!(pool.usage().in_use, in_use);
    assert!(pool.take(usize::MAX).is_err());
    drop(held);
    assert!(pool.take(600 << 10).is_ok());
    pool.trim();
    assert_eq!(pool.usage().kept, 0);
}

#[test]
fn the_limit_can_be_set_and_is_told() {
    let pool = Pool::new(0, 0);
    // A few bytes are in the buffer itself, and no pool's.
    assert!(pool.take(0).is_ok() && pool.take(FEW).is_ok());
    assert!(pool.take(FEW + 1).is_err());
    pool.set_limit(1100);
    // 1050 bytes would fit, the block of 1280 that holds them does not.
    let message = pool.take(1050).unwrap_err().to_string();
    assert_eq!(message, "1050 bytes are wanted, and 0 of the allowed 1100 are in use");
    let held = pool.take(1000).unwrap();
    pool.set_limit(10);
    assert!(pool.take(100).is_err());
    assert_eq!(held.bytes().len(), 1000);
    assert!(Pool::global().take(1000).is_ok());
}

#[test]
fn more_than_the_system_has_is_an_error() {
    let pool = Pool::new(usize::MAX, 0);
    let error = pool.take(1 << 62).unwrap_err();
    assert!(error.to_string().starts_with("the system has no"), "{error}");
    assert_eq!(pool.usage().in_use, 0);
}

/// Sixteen threads take, fill, check and drop; nobody sees another's bytes.
#[test]
fn threads() {
    let pool = Pool::new(1 << 30, 64 << 20);
    std::thread::scope(|scope| {
        for thread in 0..16u8 {
            let pool = &pool;
            scope.spawn(move || {
                let mut held = vec![];
                for round in 0..200usize {
                    let mark = thread.wrapping_mul(17).wrapping_add(u8::try_from(round % 251).unwrap());
                    // A buffer of a few bytes is not counted.
                    let bytes = (round * 7919 + usize::from(thread) * 131) % 20_000 + FEW + 1;
                    let mut buffer = pool.take(bytes).unwrap();
                    buffer.bytes_mut().fill(mark);
                    held.push((mark, buffer));
                    if held.len() > 8 {
                        let (mark, buffer) = held.swap_remove(round % 8);
                        assert!(buffer.bytes().iter().all(|&byte| byte == mark));
                    }
                }
                assert!(held.iter().all(|(mark, buffer)| buffer.bytes().iter().all(|byte| byte == mark)));
            });
        }
    });
    let usage = pool.usage();
    assert_eq!((usage.in_use, usage.made + usage.reused), (0, 16 * 200));
    assert!(usage.reused > 0 && usage.kept <= 64 << 20);
}
