//! As much of JSON as the header of a `.safetensors` file is: an object of objects of texts and lists of numbers.

use crate::error::Error;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json {
    Text(String),
    Numbers(Vec<u64>),
}

/// An object's entries in their order.
pub(super) type Object = Vec<(String, Json)>;

struct Reader<'t> {
    text: &'t str,
    /// How many bytes were read.
    place: usize,
}

impl Reader<'_> {
    fn wrong(&self, what: &str) -> Error {
        Error::value(format!("the header, byte {}: {what}", self.place))
    }

    fn space(&mut self) {
        let rest = &self.text[self.place..];
        self.place += rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
    }

    fn take(&mut self, wanted: char) -> bool {
        self.space();
        let found = self.text[self.place..].starts_with(wanted);
        self.place += if found { wanted.len_utf8() } else { 0 };
        found
    }

    fn expect(&mut self, wanted: char) -> Result<(), Error> {
        if self.take(wanted) { Ok(()) } else { Err(self.wrong(&format!("`{wanted}` is expected"))) }
    }

    fn text(&mut self) -> Result<String, Error> {
        self.expect('"')?;
        let mut text = String::new();
        loop {
            let letter = self.next()?;
            match letter {
                '"' => return Ok(text),
                '\\' => {
                    let escaped = self.escaped()?;
                    text.push(escaped);
                }
                letter if letter < ' ' => return Err(self.wrong("a text has a control character")),
                letter => text.push(letter),
            }
        }
    }

    fn next(&mut self) -> Result<char, Error> {
        let letter = self.text[self.place..].chars().next();
        let letter = letter.ok_or_else(|| self.wrong("it ends within a text"))?;
        self.place += letter.len_utf8();
        Ok(letter)
    }

    fn escaped(&mut self) -> Result<char, Error> {
        Ok(match self.next()? {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'u' => {
                let mut code = self.code()?;
                if (0xd800..0xdc00).contains(&code) && self.text[self.place..].starts_with("\\u") {
                    self.place += 2;
                    let low = self.code()?;
                    if (0xdc00..0xe000).contains(&low) {
                        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
                    }
                }
                char::from_u32(code).ok_or_else(|| self.wrong("a text has half of a character"))?
            }
            letter @ ('"' | '\\' | '/') => letter,
            _ => return Err(self.wrong("a text has an unknown escape")),
        })
    }

    fn code(&mut self) -> Result<u32, Error> {
        let mut code = 0;
        for _ in 0..4 {
            let digit = self.next()?.to_digit(16);
            code = code * 16 + digit.ok_or_else(|| self.wrong("four hexadecimal digits are expected"))?;
        }
        Ok(code)
    }

    fn number(&mut self) -> Result<u64, Error> {
        self.space();
        let rest = &self.text[self.place..];
        let end = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
        let number = rest[..end].parse().map_err(|_| self.wrong("a number without a sign is expected"));
        self.place += end;
        number
    }

    /// What stands between two brackets, with commas between.
    fn several<T>(
        &mut self,
        [open, close]: [char; 2],
        mut one: impl FnMut(&mut Self) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        self.expect(open)?;
        let mut found = Vec::new();
        if self.take(close) {
            return Ok(found);
        }
        loop {
            found.push(one(self)?);
            if self.take(close) {
                return Ok(found);
            }
            self.expect(',')?;
        }
    }

    fn value(&mut self) -> Result<Json, Error> {
        self.space();
        if self.text[self.place..].starts_with('"') {
            return self.text().map(Json::Text);
        }
        self.several(['[', ']'], Self::number).map(Json::Numbers)
    }
}

/// The objects of an object, each with its name.
pub(super) fn objects(text: &str) -> Result<Vec<(String, Object)>, Error> {
    let mut reader = Reader { text, place: 0 };
    let found = reader.several(['{', '}'], |reader| {
        let name = reader.text()?;
        reader.expect(':')?;
        let object = reader.several(['{', '}'], |reader| {
            let key = reader.text()?;
            reader.expect(':')?;
            Ok((key, reader.value()?))
        })?;
        Ok((name, object))
    })?;
    reader.space();
    if reader.place < text.len() {
        return Err(reader.wrong("more follows its last brace"));
    }
    Ok(found)
}

/// A text in quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter if letter < ' ' => quoted.push_str(&format!("\\u{:04x}", u32::from(letter))),
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}
