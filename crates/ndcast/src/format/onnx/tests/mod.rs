//! Models: read, refused, written and read again; ONNX's own node tests.

mod branches;
mod by_hand;
mod declared;
mod given;
mod models;
mod nodes;
mod rounds;
mod written;

use super::wire::Message;

/// A message of fields.
fn message(fields: &[(u64, Field<'_>)]) -> Message {
    let mut message = Message::default();
    for (number, field) in fields {
        match field {
            Field::Int(n) => message.int(*number, *n),
            Field::Float(n) => message.float(*number, *n),
            Field::Text(text) => message.text(*number, text),
            Field::Message(inner) => message.message(*number, inner),
            Field::Bytes(bytes) => message.bytes(*number, bytes),
        }
    }
    message
}

/// A field to be written.
enum Field<'f> {
    Int(i64),
    Float(f32),
    Text(&'f str),
    Message(Message),
    Bytes(&'f [u8]),
}
