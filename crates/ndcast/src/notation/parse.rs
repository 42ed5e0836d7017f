//! Words as steps: each is behind those it needs, so whoever computes them needs no recursion.

use std::ops::Range;

use super::Wrong;
use super::lex::{Placed, Token, tokens};
use crate::array::Number;
use crate::op::Op;

/// One value on the way.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) what: What,
    /// What is at fault if it cannot be made: an operator, a name.
    pub(super) place: Range<usize>,
}

/// How a value is made; numbers are those of other steps.
#[derive(Clone, Debug)]
pub(super) enum What {
    Number(Number),
    Name(String),
    Text(String),
    List(Vec<usize>),
    Operator(Operator, Vec<usize>),
    /// A function, or a method of the first argument.
    Call {
        function: String,
        arguments: Vec<usize>,
        named: Vec<(String, usize)>,
    },
    Attribute(usize, String),
    Index(usize, Vec<Part>),
}

/// What an operator does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Operator {
    Elementwise(Op),
    MatMul,
}

/// One part of an index.
#[derive(Clone, Debug)]
pub(super) enum Part {
    /// An integer or `None`.
    At(usize),
    Slice([Option<usize>; 3]),
    Ellipsis,
}

/// Operators with two sides, those that bind least first; all of them are taken from the left.
const LEVELS: [&[(&str, Operator)]; 7] = [
    &[
        ("<", Operator::Elementwise(Op::Less)),
        ("<=", Operator::Elementwise(Op::LessEqual)),
        (">", Operator::Elementwise(Op::Greater)),
        (">=", Operator::Elementwise(Op::GreaterEqual)),
        ("==", Operator::Elementwise(Op::Equal)),
        ("!=", Operator::Elementwise(Op::NotEqual)),
    ],
    &[("|", Operator::Elementwise(Op::BitwiseOr))],
    &[("^", Operator::Elementwise(Op::BitwiseXor))],
    &[("&", Operator::Elementwise(Op::BitwiseAnd))],
    &[
        ("<<", Operator::Elementwise(Op::BitwiseLeftShift)),
        (">>", Operator::Elementwise(Op::BitwiseRightShift)),
    ],
    &[("+", Operator::Elementwise(Op::Add)), ("-", Operator::Elementwise(Op::Subtract))],
    &[
        ("*", Operator::Elementwise(Op::Multiply)),
        ("/", Operator::Elementwise(Op::Divide)),
        ("//", Operator::Elementwise(Op::FloorDivide)),
        ("%", Operator::Elementwise(Op::Remainder)),
        ("@", Operator::MatMul),
    ],
];

/// Operators before their only side, which bind more than those but less than `**`.
const BEFORE: [(&str, Op); 3] = [("-", Op::Negative), ("+", Op::Positive), ("~", Op::BitwiseInvert)];

/// Words of Python that are none here, with what is written instead.
const REFUSED: [(&str, &str); 8] = [
    ("and", "write & between arrays of truth values, with brackets round each side"),
    ("or", "write | between arrays of truth values, with brackets round each side"),
    ("not", "write ~ before an array of truth values"),
    ("if", "write where(condition, a, b)"),
    ("else", "write where(condition, a, b)"),
    ("lambda", "there are no functions but those that are listed"),
    ("in", "compare with =="),
    ("is", "compare with =="),
];

/// Brackets, powers and signs may stand so deep in one another.
const DEEPEST: usize = 100;

/// The steps of a text; the last one is its value.
pub(super) fn steps(text: &str) -> Result<Vec<Step>, Wrong> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0, steps: Vec::new(), depth: 0 };
    if parser.token() == &Token::End {
        return Err(Wrong::at(&parser.place(), "there is no expression"));
    }
    parser.list_or_value(&Token::End)?;
    match parser.token() {
        Token::End => Ok(parser.steps),
        Token::Symbol("=") => {
            Err(Wrong::at(&parser.place(), "there are no assignments; for \"are equal\" write =="))
        }
        _ => Err(parser.unexpected("an operator")),
    }
}

struct Parser {
    tokens: Vec<Placed>,
    at: usize,
    steps: Vec<Step>,
    depth: usize,
}

impl Parser {
    fn token(&self) -> &Token {
        // The last is the end, which is never passed.
        self.tokens.get(self.at).map_or(&Token::End, |placed| &placed.token)
    }

    fn place(&self) -> Range<usize> {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(0..0, |placed| placed.place.clone())
    }

    fn take(&mut self, wanted: &str) -> bool {
        let found = matches!(self.token(), Token::Symbol(symbol) if *symbol == wanted);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, wanted: &str) -> Result<(), Wrong> {
        if self.take(wanted) { Ok(()) } else { Err(self.unexpected(&format!("`{wanted}`"))) }
    }

    fn unexpected(&self, wanted: &str) -> Wrong {
        let place = self.place();
        match self.token() {
            Token::End => Wrong::at(&place, format!("the expression ends where {wanted} is expected")),
            Token::Name(name) => match REFUSED.iter().find(|(word, _)| word == name) {
                Some((word, instead)) => Wrong::at(&place, format!("there is no `{word}` here: {instead}")),
                None => Wrong::at(&place, format!("{wanted} is expected before `{name}`")),
            },
            _ => Wrong::at(&place, format!("{wanted} is expected here")),
        }
    }

    fn add(&mut self, what: What, place: Range<usize>) -> usize {
        self.steps.push(Step { what, place });
        self.steps.len() - 1
    }

    /// Something one deeper than what is around it.
    fn deeper<T>(&mut self, inside: impl FnOnce(&mut Parser) -> Result<T, Wrong>) -> Result<T, Wrong> {
        if self.depth == DEEPEST {
            let text = format!("it is nested deeper than {DEEPEST}");
            return Err(Wrong::at(&self.place(), text));
        }
        self.depth += 1;
        let result = inside(self);
        self.depth -= 1;
        result
    }

    fn value(&mut self) -> Result<usize, Wrong> {
        self.level(0)
    }

    /// A value, or several with commas between them, up to a closing bracket or the end.
    fn list_or_value(&mut self, close: &Token) -> Result<usize, Wrong> {
        let begin = self.place();
        let first = self.value()?;
        if !matches!(self.token(), Token::Symbol(",")) {
            return Ok(first);
        }
        let mut items = vec![first];
        while self.take(",") && self.token() != close {
            items.push(self.value()?);
        }
        Ok(self.add(What::List(items), begin))
    }

    fn level(&mut self, level: usize) -> Result<usize, Wrong> {
        let Some(operators) = LEVELS.get(level) else { return self.sign() };
        let mut left = self.level(level + 1)?;
        let mut compared = false;
        loop {
            let found = match self.token() {
                Token::Symbol(symbol) => operators.iter().find(|(own, _)| own == symbol),
                _ => None,
            };
            let Some(&(_, operator)) = found else { return Ok(left) };
            let place = self.place();
            if level == 0 && compared {
                let text = "comparisons are not chained: write (a < b) & (b < c) for a < b < c";
                return Err(Wrong::at(&place, text));
            }
            compared = true;
            self.at += 1;
            let right = self.level(level + 1)?;
            left = self.add(What::Operator(operator, vec![left, right]), place);
        }
    }

    fn sign(&mut self) -> Result<usize, Wrong> {
        let found = match self.token() {
            Token::Symbol(symbol) => BEFORE.iter().find(|(own, _)| own == symbol),
            _ => None,
        };
        let Some(&(_, op)) = found else { return self.power() };
        let place = self.place();
        self.at += 1;
        let operand = self.deeper(Parser::sign)?;
        Ok(self.add(What::Operator(Operator::Elementwise(op), vec![operand]), place))
    }

    /// `a ** b`: taken from the right, and a sign may stand before the right side.
    fn power(&mut self) -> Result<usize, Wrong> {
        let base = self.postfix()?;
        let place = self.place();
        if !self.take("**") {
            return Ok(base);
        }
        let exponent = self.deeper(Parser::sign)?;
        Ok(self.add(What::Operator(Operator::Elementwise(Op::Pow), vec![base, exponent]), place))
    }

    /// A value with calls, indices and attributes behind it.
    fn postfix(&mut self) -> Result<usize, Wrong> {
        let mut value = self.atom()?;
        loop {
            let place = self.place();
            if self.take("[") {
                let parts = self.deeper(Parser::index)?;
                let whole = place.start..self.tokens[self.at - 1].place.end;
                value = self.add(What::Index(value, parts), whole);
            } else if self.take(".") {
                let place = self.place();
                let Token::Name(name) = self.token().clone() else {
                    return Err(self.unexpected("a name"));
                };
                self.at += 1;
                value = if self.take("(") {
                    self.deeper(|parser| parser.call(name, Some(value), place))?
                } else {
                    self.add(What::Attribute(value, name), place)
                };
            } else if self.take("(") {
                return Err(Wrong::at(&place, "only functions are called, and this is a value"));
            } else {
                return Ok(value);
            }
        }
    }

    fn atom(&mut self) -> Result<usize, Wrong> {
        let place = self.place();
        let token = self.token().clone();
        match token {
            Token::Number(number) => {
                self.at += 1;
                Ok(self.add(What::Number(number), place))
            }
            Token::Text(text) => {
                self.at += 1;
                Ok(self.add(What::Text(text), place))
            }
            Token::Name(name) if !REFUSED.iter().any(|(word, _)| *word == name) => {
                self.at += 1;
                if self.take("(") {
                    return self.deeper(|parser| parser.call(name, None, place));
                }
                Ok(self.add(What::Name(name), place))
            }
            Token::Symbol("(") => {
                self.at += 1;
                if self.take(")") {
                    return Ok(self.add(What::List(vec![]), place));
                }
                let value = self.deeper(|parser| parser.list_or_value(&Token::Symbol(")")))?;
                self.expect(")")?;
                Ok(value)
            }
            Token::Symbol("[") => {
                self.at += 1;
                let mut items = Vec::new();
                while !self.take("]") {
                    items.push(self.deeper(Parser::value)?);
                    if !self.take(",") {
                        self.expect("]")?;
                        break;
                    }
                }
                Ok(self.add(What::List(items), place))
            }
            _ => Err(self.unexpected("a value")),
        }
    }

    /// The arguments of a function, behind its bracket.
    fn call(
        &mut self,
        function: String,
        receiver: Option<usize>,
        place: Range<usize>,
    ) -> Result<usize, Wrong> {
        let mut arguments: Vec<usize> = receiver.into_iter().collect();
        let mut named: Vec<(String, usize)> = Vec::new();
        while !self.take(")") {
            let here = self.place();
            let next = self.tokens.get(self.at + 1).map(|placed| &placed.token);
            match (self.token().clone(), next) {
                (Token::Name(name), Some(Token::Symbol("="))) => {
                    self.at += 2;
                    if named.iter().any(|(other, _)| *other == name) {
                        return Err(Wrong::at(&here, format!("the argument {name} is given twice")));
                    }
                    let value = self.value()?;
                    named.push((name, value));
                }
                _ if !named.is_empty() => {
                    return Err(Wrong::at(&here, "an argument without a name stands behind one with a name"));
                }
                _ => {
                    let value = self.value()?;
                    arguments.push(value);
                }
            }
            if !self.take(",") {
                self.expect(")")?;
                break;
            }
        }
        Ok(self.add(What::Call { function, arguments, named }, place))
    }

    /// The parts of an index, behind its bracket.
    fn index(&mut self) -> Result<Vec<Part>, Wrong> {
        let mut parts = Vec::new();
        loop {
            if self.take("...") {
                parts.push(Part::Ellipsis);
            } else {
                parts.push(self.part()?);
            }
            if self.take("]") {
                return Ok(parts);
            }
            if !self.take(",") {
                return Err(self.unexpected("`,` or `]`"));
            }
            if self.take("]") {
                return Ok(parts);
            }
        }
    }

    /// `1`, `None`, or `start:stop:step` with any of them left out.
    fn part(&mut self) -> Result<Part, Wrong> {
        let mut ends = [None; 3];
        let mut colons = 0;
        loop {
            match self.token() {
                Token::Symbol(":") if colons < 2 => {
                    self.at += 1;
                    colons += 1;
                }
                Token::Symbol("," | "]") if colons > 0 => return Ok(Part::Slice(ends)),
                _ if ends[colons].is_none() => {
                    ends[colons] = Some(self.value()?);
                    let more = matches!(self.token(), Token::Symbol(":")) && colons < 2;
                    match (ends[0], more) {
                        (_, true) => {}
                        (Some(at), false) if colons == 0 => return Ok(Part::At(at)),
                        _ => return Ok(Part::Slice(ends)),
                    }
                }
                _ => return Err(self.unexpected("`,` or `]`")),
            }
        }
    }
}
