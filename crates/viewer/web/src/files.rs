//! Several files packed into one byte array: for each, the length of its name, the length of its content, name,
//! content.

/// Bytes that are not packed files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the files end too early, or a name is not text")]
pub struct BadFiles;

/// Packs files.
pub fn pack_files<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Vec<u8> {
    let mut packed = Vec::new();
    for (name, content) in files {
        packed.extend((name.len() as u32).to_le_bytes());
        packed.extend((content.len() as u32).to_le_bytes());
        packed.extend(name.as_bytes());
        packed.extend(content);
    }
    packed
}

/// Unpacks files.
///
/// # Errors
/// Bytes that [`pack_files`] did not make.
pub fn unpack_files(mut bytes: &[u8]) -> Result<Vec<(String, Vec<u8>)>, BadFiles> {
    let mut files = Vec::new();
    while !bytes.is_empty() {
        let (lengths, rest) = bytes.split_first_chunk::<8>().ok_or(BadFiles)?;
        let [name, content] =
            [&lengths[..4], &lengths[4..]].map(|l| u32::from_le_bytes(l.try_into().unwrap_or_default()));
        let (name, rest) = rest.split_at_checked(name as usize).ok_or(BadFiles)?;
        let (content, rest) = rest.split_at_checked(content as usize).ok_or(BadFiles)?;
        files.push((String::from_utf8(name.into()).map_err(|_| BadFiles)?, content.into()));
        bytes = rest;
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn files_come_back() {
        let files = [("a/b.xml", &b"<mujoco/>"[..]), ("é", b""), ("c", &[0; 1000])];
        let packed = pack_files(files);
        let back = unpack_files(&packed).unwrap();
        assert!(back.iter().map(|(n, c)| (n.as_str(), c.as_slice())).eq(files));
        assert_eq!(unpack_files(&packed[..packed.len() - 1]), Err(BadFiles));
    }

    proptest! {
        #[test]
        fn no_bytes_end_the_process(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            _ = unpack_files(&bytes);
        }
    }
}
