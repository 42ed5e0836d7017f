//! As much of ZIP as an `.npz` file is: members that are stored or deflated, found by the directory at the file's end.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::write::DeflateEncoder;

use super::source::Source;
use crate::buffer::Pool;
use crate::dtype::DType;
use crate::error::Error;

/// How a member's header begins.
pub(super) const LOCAL: &[u8] = b"PK\x03\x04";
/// How the end of the directory begins: what an empty file begins with.
pub(super) const END: &[u8] = b"PK\x05\x06";
const CENTRAL: &[u8] = b"PK\x01\x02";
const END_64: &[u8] = b"PK\x06\x06";
const LOCATOR_64: &[u8] = b"PK\x06\x07";

/// A member, as the directory has it.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) name: String,
    method: u16,
    check: u32,
    packed: u64,
    pub(super) size: u64,
    header: u64,
}

fn wrong(what: impl Into<String>) -> Error {
    Error::value(format!("the archive: {}", what.into()))
}

/// Numbers of a record, the smallest byte first.
struct Record<'b>(&'b [u8]);

impl Record<'_> {
    fn u16(&self, at: usize) -> Result<u16, Error> {
        self.bytes(at).map(u16::from_le_bytes)
    }

    fn u32(&self, at: usize) -> Result<u32, Error> {
        self.bytes(at).map(u32::from_le_bytes)
    }

    fn u64(&self, at: usize) -> Result<u64, Error> {
        self.bytes(at).map(u64::from_le_bytes)
    }

    fn bytes<const N: usize>(&self, at: usize) -> Result<[u8; N], Error> {
        let part = at.checked_add(N).and_then(|end| self.0.get(at..end));
        part.and_then(|part| part.try_into().ok()).ok_or_else(|| wrong("a record ends too early"))
    }

    fn part(&self, at: usize, count: usize) -> Result<&[u8], Error> {
        let part = at.checked_add(count).and_then(|end| self.0.get(at..end));
        part.ok_or_else(|| wrong("a record ends too early"))
    }
}

/// Where the directory is, and how many members it has.
struct Directory {
    at: u64,
    bytes: u64,
    members: u64,
}

fn directory(source: &Source<'_>) -> Result<Directory, Error> {
    // The end is behind everything but a comment of at most 65535 bytes.
    let tail = source.len().min(22 + 65535);
    let from = source.len() - tail;
    let bytes = source.bytes(from, tail)?;
    let place = bytes.windows(4).rposition(|four| four == END);
    let place = place.ok_or_else(|| wrong("it has no end of its directory"))?;
    let end = Record(&bytes[place..]);
    let mut found = Directory {
        at: u64::from(end.u32(16)?),
        bytes: u64::from(end.u32(12)?),
        members: u64::from(end.u16(10)?),
    };
    if let Some(locator) = place.checked_sub(20).filter(|&at| bytes[at..].starts_with(LOCATOR_64)) {
        let at = Record(&bytes[locator..]).u64(8)?;
        let record = source.bytes(at, 56)?;
        if !record.starts_with(END_64) {
            return Err(wrong("its large directory is not where it says"));
        }
        let end = Record(&record);
        found = Directory { at: end.u64(48)?, bytes: end.u64(40)?, members: end.u64(32)? };
    }
    Ok(found)
}

/// The members in the directory's order.
pub(super) fn members(source: &Source<'_>) -> Result<Vec<Member>, Error> {
    let Directory { at, bytes, members } = directory(source)?;
    let bytes = source.bytes(at, bytes)?;
    let mut found = Vec::new();
    let mut place = 0;
    for _ in 0..members {
        let rest = bytes.get(place..).unwrap_or_default();
        if !rest.starts_with(CENTRAL) {
            return Err(wrong(format!("its directory has {} members, and says {members}", found.len())));
        }
        let entry = Record(rest);
        let [name, extra, comment] = [28, 30, 32].map(|at| entry.u16(at).map(usize::from));
        let (name, extra, comment) = (name?, extra?, comment?);
        let text = std::str::from_utf8(entry.part(46, name)?).map_err(|_| wrong("a name is no text"))?;
        let mut member = Member {
            name: text.to_owned(),
            method: entry.u16(10)?,
            check: entry.u32(16)?,
            packed: u64::from(entry.u32(20)?),
            size: u64::from(entry.u32(24)?),
            header: u64::from(entry.u32(42)?),
        };
        if entry.u16(8)? & 1 != 0 {
            return Err(wrong("it is encrypted").at(&member.name));
        }
        large(&mut member, entry.part(46 + name, extra)?)?;
        place += 46 + name + extra + comment;
        found.push(member);
    }
    Ok(found)
}

/// ZIP64: sizes and offsets that do not fit in 32 bits stand in extra field 1, in this order.
fn large(member: &mut Member, mut extra: &[u8]) -> Result<(), Error> {
    const HELD: u64 = 0xffff_ffff;
    while extra.len() >= 4 {
        let field = Record(extra);
        let (kind, size) = (field.u16(0)?, usize::from(field.u16(2)?));
        let body = Record(field.part(4, size)?);
        if kind == 1 {
            let mut at = 0;
            for number in [&mut member.size, &mut member.packed, &mut member.header] {
                if *number == HELD {
                    *number = body.u64(at)?;
                    at += 8;
                }
            }
        }
        extra = &extra[4 + size..];
    }
    Ok(())
}

/// Where a member's bytes begin.
fn start(source: &Source<'_>, member: &Member) -> Result<u64, Error> {
    let header = source.bytes(member.header, 30)?;
    if !header.starts_with(LOCAL) {
        return Err(wrong("it is not where the directory says"));
    }
    let header = Record(&header);
    Ok(member.header + 30 + u64::from(header.u16(26)?) + u64::from(header.u16(28)?))
}

/// A member: where it lies if it is stored, else its bytes.
pub(super) enum Content {
    Stored(u64),
    Packed(Vec<u8>),
}

pub(super) fn content(source: &Source<'_>, member: &Member) -> Result<Content, Error> {
    let at = start(source, member)?;
    match member.method {
        0 if member.packed == member.size => {
            // That they are there is checked by whoever reads them.
            Ok(Content::Stored(at))
        }
        0 => Err(wrong("it is stored in another number of bytes than it has")),
        8 => {
            let packed = source.bytes(at, member.packed)?;
            // Deflate makes at most 1032 bytes of one.
            if member.size > member.packed.saturating_mul(1040) {
                return Err(wrong(format!("{} bytes do not become {}", member.packed, member.size)));
            }
            let size = usize::try_from(member.size).unwrap_or(usize::MAX);
            Pool::global().allows(size).map_err(|error| Error::memory(error, &[size], DType::U8))?;
            let mut bytes = Vec::new();
            let mut reader = flate2::read::DeflateDecoder::new(&*packed).take(member.size.saturating_add(1));
            reader.read_to_end(&mut bytes).map_err(|error| wrong(error.to_string()))?;
            if bytes.len() as u64 != member.size {
                return Err(wrong(format!("it does not become the {} bytes that it says", member.size)));
            }
            let mut check = flate2::Crc::new();
            check.update(&bytes);
            if check.sum() != member.check {
                return Err(wrong("its CRC does not match: it is damaged"));
            }
            Ok(Content::Packed(bytes))
        }
        other => Err(wrong(format!("its packing {other} is neither stored (0) nor deflated (8)"))),
    }
}

/// A writer of members one behind the other.
pub(super) struct Writer<'w> {
    to: &'w mut dyn Write,
    place: u64,
    directory: Vec<u8>,
    members: u64,
}

impl<'w> Writer<'w> {
    pub(super) fn new(to: &'w mut dyn Write) -> Writer<'w> {
        Writer { to, place: 0, directory: Vec::new(), members: 0 }
    }

    /// A member that is stored, in parts; its bytes begin on a multiple of 64.
    pub(super) fn stored(&mut self, name: &str, parts: &[&[u8]]) -> Result<(), Error> {
        let mut check = flate2::Crc::new();
        parts.iter().for_each(|part| check.update(part));
        let size: u64 = parts.iter().map(|part| part.len() as u64).sum();
        self.header(name, 0, check.sum(), [size, size], 64)?;
        for part in parts {
            self.to.write_all(part)?;
        }
        self.place += size;
        Ok(())
    }

    /// A member that is deflated.
    pub(super) fn deflated(&mut self, name: &str, parts: &[&[u8]]) -> Result<(), Error> {
        let mut check = flate2::Crc::new();
        let mut packer = DeflateEncoder::new(Vec::new(), Compression::default());
        for part in parts {
            check.update(part);
            packer.write_all(part)?;
        }
        let packed = packer.finish()?;
        let size: u64 = parts.iter().map(|part| part.len() as u64).sum();
        self.header(name, 8, check.sum(), [packed.len() as u64, size], 1)?;
        self.to.write_all(&packed)?;
        self.place += packed.len() as u64;
        Ok(())
    }

    fn header(
        &mut self,
        name: &str,
        method: u16,
        check: u32,
        [packed, size]: [u64; 2],
        align: u64,
    ) -> Result<(), Error> {
        let length = u16::try_from(name.len()).map_err(|_| wrong("a name is too long"))?;
        // Version 4.5 has large numbers; the flag says that names are UTF-8.
        let mut common = Vec::new();
        common.extend_from_slice(&[45, 0, 0, 8]);
        common.extend_from_slice(&method.to_le_bytes());
        // The earliest DOS timestamp, 1980-01-01 00:00.
        common.extend_from_slice(&[0, 0, 0x21, 0]);
        common.extend_from_slice(&check.to_le_bytes());
        common.extend_from_slice(&[0xff; 8]);
        common.extend_from_slice(&length.to_le_bytes());
        let header = self.place;
        let mut large = vec![1, 0, 16, 0];
        large.extend_from_slice(&size.to_le_bytes());
        large.extend_from_slice(&packed.to_le_bytes());
        // The rest up to the alignment is an extra field of zeros.
        let before = header + 30 + u64::from(length) + 20 + 4;
        let filler = u16::try_from(before.next_multiple_of(align) - before).unwrap_or(0);
        let extra = 20 + 4 + filler;
        self.to.write_all(LOCAL)?;
        self.to.write_all(&common)?;
        self.to.write_all(&extra.to_le_bytes())?;
        self.to.write_all(name.as_bytes())?;
        self.to.write_all(&large)?;
        self.to.write_all(&[0xfe, 0xca])?;
        self.to.write_all(&filler.to_le_bytes())?;
        self.to.write_all(&vec![0; usize::from(filler)])?;
        self.place = before + u64::from(filler);

        large[2] = 24;
        large.extend_from_slice(&header.to_le_bytes());
        self.directory.extend_from_slice(CENTRAL);
        self.directory.extend_from_slice(&[45, 0]);
        self.directory.extend_from_slice(&common);
        self.directory.extend_from_slice(&28u16.to_le_bytes());
        self.directory.extend_from_slice(&[0; 10]);
        self.directory.extend_from_slice(&[0xff; 4]);
        self.directory.extend_from_slice(name.as_bytes());
        self.directory.extend_from_slice(&large);
        self.members += 1;
        Ok(())
    }

    /// The directory, after which nothing follows.
    pub(super) fn finish(self) -> Result<(), Error> {
        let (at, bytes) = (self.place, self.directory.len() as u64);
        let mut end = Vec::new();
        // An archive of nothing begins with its end, by which it is known.
        if self.members > 0 {
            end.extend_from_slice(END_64);
            end.extend_from_slice(&44u64.to_le_bytes());
            end.extend_from_slice(&[45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
            for number in [self.members, self.members, bytes, at] {
                end.extend_from_slice(&number.to_le_bytes());
            }
            end.extend_from_slice(LOCATOR_64);
            end.extend_from_slice(&[0; 4]);
            end.extend_from_slice(&(at + bytes).to_le_bytes());
            end.extend_from_slice(&[1, 0, 0, 0]);
        }
        end.extend_from_slice(END);
        end.extend_from_slice(&[0; 4]);
        let members = u16::try_from(self.members).unwrap_or(u16::MAX).to_le_bytes();
        end.extend_from_slice(&[members, members].concat());
        for number in [bytes, at] {
            end.extend_from_slice(&u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes());
        }
        end.extend_from_slice(&[0; 2]);
        self.to.write_all(&self.directory)?;
        self.to.write_all(&end)?;
        Ok(())
    }
}
