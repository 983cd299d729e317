//! Parts of elements.

/// One object of a tendon path.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Wrap {
    /// A joint with a coefficient, in fixed tendons.
    Joint { joint: String, coef: f64 },
    /// A site passed through.
    Site { site: String },
    /// A sphere or cylinder wrapped around.
    Geom { geom: String, sidesite: String },
    /// A pulley that splits the path.
    Pulley { divisor: f64 },
}
