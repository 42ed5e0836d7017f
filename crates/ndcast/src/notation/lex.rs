//! A text as words: numbers, names, quoted texts and symbols, each with its place.

use std::ops::Range;

use num_complex::Complex;

use super::Wrong;
use crate::array::Number;

/// A word of the notation.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Number(Number),
    Name(String),
    /// What stands between quotes.
    Text(String),
    Symbol(&'static str),
    /// Behind the last word.
    End,
}

/// A word and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) token: Token,
    pub(super) place: Range<usize>,
}

/// The symbols, longer ones before those that they begin with.
const SYMBOLS: [&str; 30] = [
    "...", "**", "//", "<<", ">>", "<=", ">=", "==", "!=", "+", "-", "*", "/", "%", "@", "<", ">", "&", "|",
    "^", "~", "(", ")", "[", "]", ",", ":", ".", "=", "!",
];

/// The words of a text, and the end.
pub(super) fn tokens(text: &str) -> Result<Vec<Placed>, Wrong> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let (token, length) = match first {
            _ if first.is_whitespace() => {
                at += first.len_utf8();
                continue;
            }
            '0'..='9' => number(rest, at)?,
            '.' if rest[1..].starts_with(|c: char| c.is_ascii_digit()) => number(rest, at)?,
            _ if first.is_alphabetic() || first == '_' => {
                let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                (Token::Name(rest[..length].to_owned()), length)
            }
            '\'' | '"' => {
                let inside = &rest[1..];
                let Some(length) = inside.find(first) else {
                    return Err(Wrong::at(&(at..at + 1), "the quote does not end"));
                };
                (Token::Text(inside[..length].to_owned()), length + 2)
            }
            _ => match SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
                Some(symbol) => (Token::Symbol(symbol), symbol.len()),
                None => {
                    let place = at..at + first.len_utf8();
                    return Err(Wrong::at(&place, format!("{first:?} means nothing here")));
                }
            },
        };
        tokens.push(Placed { token, place: at..at + length });
        at += length;
    }
    tokens.push(Placed { token: Token::End, place: text.len()..text.len() });
    Ok(tokens)
}

/// The number at the beginning of a text, and how long it is.
fn number(text: &str, at: usize) -> Result<(Token, usize), Wrong> {
    let based = ["0x", "0X", "0b", "0B", "0o", "0O"].iter().any(|base| text.starts_with(base));
    let mut length = 0;
    let mut last = ' ';
    for c in text.chars() {
        let sign = matches!(c, '+' | '-') && matches!(last, 'e' | 'E') && !based;
        if !(c.is_ascii_alphanumeric() || c == '_' || (c == '.' && !based) || sign) {
            break;
        }
        length += c.len_utf8();
        last = c;
    }
    let word = &text[..length];
    match read(word) {
        Some(number) => Ok((Token::Number(number), length)),
        None => Err(Wrong::at(&(at..at + length), format!("{word} is not a number"))),
    }
}

fn read(word: &str) -> Option<Number> {
    let lonely = word.starts_with('_') || word.ends_with('_') || word.contains("__");
    if lonely {
        return None;
    }
    let digits: String = word.chars().filter(|&c| c != '_').collect::<String>().to_lowercase();
    for (base, radix) in [("0x", 16), ("0b", 2), ("0o", 8)] {
        if let Some(digits) = digits.strip_prefix(base) {
            return i128::from_str_radix(digits, radix).ok().map(Number::Int);
        }
    }
    if let Some(imaginary) = digits.strip_suffix('j') {
        return imaginary.parse().ok().map(|im| Number::Complex(Complex::new(0.0, im)));
    }
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return digits.parse().ok().map(Number::Int);
    }
    digits.parse().ok().map(Number::Float)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_python_writes_them() {
        for (text, number) in [
            ("12", Number::Int(12)),
            ("1_000", Number::Int(1000)),
            ("0xff", Number::Int(255)),
            ("0b101", Number::Int(5)),
            ("1.", Number::Float(1.0)),
            (".5", Number::Float(0.5)),
            ("1e-3", Number::Float(0.001)),
            ("2.5E+2", Number::Float(250.0)),
            ("3j", Number::Complex(Complex::new(0.0, 3.0))),
        ] {
            let tokens = tokens(text).unwrap();
            assert_eq!(tokens[0].token, Token::Number(number), "{text}");
            assert_eq!((tokens[0].place.clone(), tokens.len()), (0..text.len(), 2), "{text}");
        }
        for text in ["1_", "1__0", "0xg", "1e", "12abc", "1.2.3", &"9".repeat(60), "0x"] {
            assert!(tokens(text).is_err(), "{text}");
        }
    }

    #[test]
    fn words_have_places() {
        let tokens = tokens("a**-b.T[..., 'ü']").unwrap();
        let words: Vec<&Token> = tokens.iter().map(|placed| &placed.token).collect();
        let name = |name: &str| Token::Name(name.to_owned());
        assert_eq!(
            words[..6],
            [
                &name("a"),
                &Token::Symbol("**"),
                &Token::Symbol("-"),
                &name("b"),
                &Token::Symbol("."),
                &name("T")
            ]
        );
        assert_eq!(tokens[9].token, Token::Text("ü".to_owned()));
        assert_eq!(tokens[9].place, 13..17);
        assert!(super::tokens("a $ b").is_err() && super::tokens("'a").is_err());
    }
}
