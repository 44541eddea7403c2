//! Opens files that may be compressed, for several commands.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::Path,
};

use flate2::read::MultiGzDecoder;

use super::{terminal::shown, usage};

/// Size of the buffers in bytes.
const BUFFER: usize = 1 << 18;

/// First bytes of a file that is compressed by gzip.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// First bytes of a file that is compressed by Zstandard.
const ZSTANDARD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Opens a file, and returns its length if it has one. `-` is standard input.
pub(super) fn open(path: &Path) -> anyhow::Result<(Box<dyn Read>, Option<u64>)> {
    if path == Path::new("-") {
        return Ok((Box::new(io::stdin()), None));
    }
    let file = File::open(path).map_err(|e| fault(path, &e))?;
    let data = file.metadata().map_err(|e| fault(path, &e))?;
    if data.is_dir() {
        return Err(usage(format_args!(
            "{}: this is a folder; name a file in it",
            shown(path)
        )));
    }
    Ok((Box::new(file), Some(data.len())))
}

/// Returns the uncompressed bytes of an input, which may be compressed by gzip or Zstandard.
pub(super) fn unpacked(
    path: &Path,
    input: impl Read + 'static,
) -> anyhow::Result<Box<dyn BufRead>> {
    let mut input = BufReader::with_capacity(BUFFER, input);
    let beginning = input.fill_buf().map_err(|e| fault(path, &e))?;
    Ok(if beginning.starts_with(&GZIP) {
        let unpacked = Unpacked(MultiGzDecoder::new(input));
        Box::new(BufReader::with_capacity(BUFFER, unpacked))
    } else if beginning.starts_with(&ZSTANDARD) {
        let unpacked = zstd::stream::read::Decoder::with_buffer(input);
        let unpacked = Unpacked(unpacked.map_err(|e| fault(path, &e))?);
        Box::new(BufReader::with_capacity(BUFFER, unpacked))
    } else {
        Box::new(input)
    })
}

/// Reader of uncompressed bytes. If the compressed data are damaged, the error says so.
struct Unpacked<R>(R);

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(|error| {
            let kind = error.kind();
            if kind == io::ErrorKind::UnexpectedEof || kind == io::ErrorKind::Interrupted {
                return error;
            }
            let message = format!("the compressed data are damaged ({error}); copy the file again");
            io::Error::new(io::ErrorKind::InvalidData, message)
        })
    }
}

/// Returns the error for input that cannot be read. If the input ends too early, the error says
/// that the compressed file was cut off.
pub(super) fn fault(path: &Path, error: &io::Error) -> anyhow::Error {
    let name = shown(path);
    if error.kind() == io::ErrorKind::UnexpectedEof {
        usage(format_args!(
            "{name}: the compressed data end too early: the file was cut off"
        ))
    } else {
        usage(format_args!("{name}: {error}"))
    }
}
