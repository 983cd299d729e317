//! Files of the Gmsh mesh generator, format versions 2.2 and 4.1, text and binary.
//!
//! Both versions list nodes, then elements. For 4.1 one block of nodes and one of elements are read; for 2.2 all
//! elements must have the dimension of the first. Source: the format description in the Gmsh manual.

use super::bad;
use crate::error::Result;

/// Content of a Gmsh file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gmsh {
    /// 1 for lines, 2 for triangles, 3 for tetrahedra.
    pub dim: usize,
    /// Points. (m)
    pub points: Vec<[f64; 3]>,
    /// Points of the elements, `dim + 1` of each.
    pub elements: Vec<i32>,
}

/// Reads a Gmsh file.
pub fn read(data: &[u8]) -> Result<Gmsh> {
    let rest = data.strip_prefix(b"$MeshFormat").ok_or_else(|| bad("a Gmsh file begins with $MeshFormat"))?;
    let line_end = rest.iter().skip(1).position(|&b| b == b'$').map_or(rest.len(), |i| i + 1);
    let header = String::from_utf8_lossy(&rest[..line_end]);
    let mut words = header.split_ascii_whitespace();
    let version: f64 = words.next().and_then(|w| w.parse().ok()).ok_or_else(|| bad("the Gmsh version is missing"))?;
    let binary = words.next().is_some_and(|w| w != "0");
    let nodes = section(data, "Nodes")?;
    let elements = section(data, "Elements")?;
    match (version * 100.0).round() as i64 {
        410 => blocks(Stream::new(nodes, binary), Stream::new(elements, binary)),
        220 => lists(nodes, elements, binary),
        _ => Err(bad(format!("Gmsh format {version} is not known")).hint("save the mesh in format 2.2 or 4.1")),
    }
}

/// The bytes between `$Name` and `$EndName`, without the line break after the name.
fn section<'a>(data: &'a [u8], name: &str) -> Result<&'a [u8]> {
    let find =
        |from: usize, text: &str| data[from..].windows(text.len()).position(|w| w == text.as_bytes()).map(|i| from + i);
    let open = format!("${name}");
    let start = find(0, &open).ok_or_else(|| bad(format!("the Gmsh file has no {open}")))? + open.len();
    let end = find(start, &format!("$End{name}")).ok_or_else(|| bad(format!("the Gmsh file has no $End{name}")))?;
    let body = &data[start..end];
    let skip = body.iter().position(|&b| b == b'\n').filter(|&i| body[..i].iter().all(u8::is_ascii_whitespace));
    Ok(&body[skip.map_or(0, |i| i + 1)..])
}

/// Consecutive numbers, as text or in binary.
enum Stream<'a> {
    Text(std::str::SplitAsciiWhitespace<'a>),
    Binary(&'a [u8]),
}

impl<'a> Stream<'a> {
    fn new(data: &'a [u8], binary: bool) -> Self {
        if binary {
            return Stream::Binary(data);
        }
        let valid = data.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        Stream::Text(valid.split_ascii_whitespace())
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N]> {
        let Stream::Binary(data) = self else { return Err(bad("the Gmsh file mixes text and binary")) };
        let (head, tail) = data.split_first_chunk::<N>().ok_or_else(|| bad("the Gmsh file ends too early"))?;
        *data = tail;
        Ok(*head)
    }

    fn word<T: std::str::FromStr>(words: &mut std::str::SplitAsciiWhitespace) -> Result<T> {
        let word = words.next().ok_or_else(|| bad("the Gmsh file ends too early"))?;
        word.parse().map_err(|_| bad(format!("'{word}' is not a number of a Gmsh file")))
    }

    /// An integer; four bytes in binary.
    fn int(&mut self) -> Result<i32> {
        match self {
            Stream::Text(words) => Self::word(words),
            Stream::Binary(_) => self.bytes().map(i32::from_le_bytes),
        }
    }

    /// A count or a tag; eight bytes in binary.
    fn tag(&mut self) -> Result<u64> {
        match self {
            Stream::Text(words) => Self::word(words),
            Stream::Binary(_) => self.bytes().map(u64::from_le_bytes),
        }
    }

    fn real(&mut self) -> Result<f64> {
        match self {
            Stream::Text(words) => Self::word(words),
            Stream::Binary(_) => self.bytes().map(f64::from_le_bytes),
        }
    }

    fn point(&mut self) -> Result<[f64; 3]> {
        Ok([self.real()?, self.real()?, self.real()?])
    }
}

/// Dimension of an element type; only types that a flex can have are accepted.
fn dimension(kind: i32) -> Result<usize> {
    match kind {
        1 => Ok(1),
        2 => Ok(2),
        4 => Ok(3),
        _ => {
            Err(bad(format!("Gmsh elements of type {kind} cannot be used")).hint("use lines, triangles or tetrahedra"))
        }
    }
}

/// Index of the node with a tag.
fn node(tag: u64, first: u64, count: usize) -> Result<i32> {
    let index = tag.checked_sub(first).filter(|&i| i < count as u64);
    index.map(|i| i as i32).ok_or_else(|| bad(format!("an element refers to node {tag}, which is not there")))
}

/// Reads format 4.1.
fn blocks(mut nodes: Stream, mut elements: Stream) -> Result<Gmsh> {
    let single = |blocks: u64, total: u64, here: u64| {
        let message = "all nodes must be in one block, and all elements";
        if blocks == 1 && total == here { Ok(()) } else { Err(bad(message).hint("save one physical entity")) }
    };
    let [count_blocks, total, first, _] = [nodes.tag()?, nodes.tag()?, nodes.tag()?, nodes.tag()?];
    let [dim, _, _] = [nodes.int()?, nodes.int()?, nodes.int()?];
    single(count_blocks, total, nodes.tag()?)?;
    let dim =
        usize::try_from(dim).ok().filter(|d| (1..=3).contains(d)).ok_or_else(|| bad("nodes have no dimension"))?;
    for i in 0..total {
        if nodes.tag()? != first.wrapping_add(i) {
            return Err(bad("node tags must follow each other"));
        }
    }
    let points = (0..total).map(|_| nodes.point()).collect::<Result<Vec<_>>>()?;

    let [count_blocks, total, _, _] = [elements.tag()?, elements.tag()?, elements.tag()?, elements.tag()?];
    let [_, _, kind] = [elements.int()?, elements.int()?, elements.int()?];
    single(count_blocks, total, elements.tag()?)?;
    if dimension(kind)? != dim {
        return Err(bad("nodes and elements differ in dimension"));
    }
    let mut list = Vec::new();
    for _ in 0..total {
        elements.tag()?;
        for _ in 0..=dim {
            list.push(node(elements.tag()?, first, points.len())?);
        }
    }
    Ok(Gmsh { dim, points, elements: list })
}

/// Reads format 2.2, where a count in text precedes each list.
fn lists(nodes: &[u8], elements: &[u8], binary: bool) -> Result<Gmsh> {
    let (count, nodes) = counted(nodes)?;
    let mut nodes = Stream::new(nodes, binary);
    let points = (0..count)
        .map(|_| {
            nodes.int()?;
            nodes.point()
        })
        .collect::<Result<Vec<_>>>()?;
    let (count, elements) = counted(elements)?;
    let mut stream = Stream::new(elements, binary);
    let mut mesh = Gmsh { dim: 0, points, elements: Vec::new() };
    let mut done = 0;
    while done < count {
        let (kind, follow, tags) = if binary {
            (stream.int()?, stream.int()?, stream.int()?)
        } else {
            stream.int()?;
            (stream.int()?, 1, stream.int()?)
        };
        let dim = dimension(kind)?;
        if mesh.dim == 0 {
            mesh.dim = dim;
        } else if mesh.dim != dim {
            return Err(bad("elements differ in dimension").hint("save triangles or tetrahedra alone"));
        }
        if follow < 1 {
            return Err(bad("a Gmsh block has no elements"));
        }
        for _ in 0..follow {
            // binary elements include their number; in text it was read before the type
            let skip = i64::from(tags.max(0)) + i64::from(binary);
            (0..skip).try_for_each(|_| stream.int().map(drop))?;
            for _ in 0..=dim {
                let tag = u64::try_from(stream.int()?).map_err(|_| bad("node tags are positive"))?;
                mesh.elements.push(node(tag, 1, mesh.points.len())?);
            }
        }
        done += follow as usize;
    }
    Ok(mesh)
}

/// The count on the first line, and the data after that line.
fn counted(data: &[u8]) -> Result<(usize, &[u8])> {
    let end = data.iter().position(|&b| b == b'\n').ok_or_else(|| bad("the Gmsh file ends too early"))?;
    let line = String::from_utf8_lossy(&data[..end]);
    let count = line.trim().parse().map_err(|_| bad(format!("'{}' is not a count", line.trim())))?;
    Ok((count, &data[end + 1..]))
}
