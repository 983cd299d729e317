//! What of a derivative is closed, and what was differenced.

/// Parts of a step that have no closed derivative here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[non_exhaustive]
pub enum Term {
    /// The whole step.
    Step,
    /// Directions of tendons where they meet a geom: six numbers by six.
    Wrapping,
    /// Moments of adhesion, which are those of contacts.
    Transmission,
    /// Elastic forces of flexes.
    Flex,
    /// Velocity slopes of fluid forces, as implicit integrators use them.
    FluidDamping,
    /// Constraint rows at a given acceleration: their Jacobian, position and reference.
    Constraint,
    /// Distances, points and frames of contacts, pair by pair.
    Contact,
    /// Outputs of sensors; [`TransitionWork::sensors_differenced`](super::TransitionWork::sensors_differenced) says which.
    Sensor,
}

impl Term {
    const ALL: [Term; 8] = [
        Term::Step,
        Term::Wrapping,
        Term::Transmission,
        Term::Flex,
        Term::FluidDamping,
        Term::Constraint,
        Term::Contact,
        Term::Sensor,
    ];

    /// Its name in words.
    pub fn name(self) -> &'static str {
        match self {
            Term::Step => "step",
            Term::Wrapping => "tendon wrapping",
            Term::Transmission => "transmission",
            Term::Flex => "flex elasticity",
            Term::FluidDamping => "fluid damping",
            Term::Constraint => "constraint rows",
            Term::Contact => "contact geometry",
            Term::Sensor => "sensors",
        }
    }

    /// Whether it is a local function of a few numbers, rather than stages of the step run again for every column.
    pub fn is_local(self) -> bool {
        matches!(self, Term::Wrapping | Term::Contact)
    }
}

/// A set of terms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terms(u16);

impl Terms {
    /// Adds one.
    pub fn insert(&mut self, term: Term) {
        self.0 |= 1 << term as u16;
    }

    /// These and others.
    pub(super) fn with(self, other: Terms) -> Terms {
        Terms(self.0 | other.0)
    }

    /// All but one.
    pub(super) fn without(self, term: Term) -> Terms {
        Terms(self.0 & !(1 << term as u16))
    }

    /// Whether it is there.
    pub fn has(self, term: Term) -> bool {
        self.0 & (1 << term as u16) != 0
    }

    /// Those that also matter to what integrators add.
    pub(super) fn of_integrators(self) -> Terms {
        let kept = [Term::Transmission, Term::FluidDamping];
        Terms(self.0 & kept.iter().fold(0, |sum, &t| sum | 1 << t as u16))
    }

    /// Those that depend on velocity besides position.
    pub(super) fn of_velocity(self) -> Terms {
        self.without(Term::Constraint)
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// All that are there.
    pub fn iter(self) -> impl Iterator<Item = Term> {
        Term::ALL.into_iter().filter(move |&t| self.has(t))
    }
}

/// How the columns of a derivative came about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Terms that were differenced in columns of positions.
    pub positions: Terms,
    /// The same for velocities.
    pub velocities: Terms,
    /// The same for activations.
    pub activations: Terms,
    /// The same for controls.
    pub controls: Terms,
}

impl Report {
    /// Everything by differences of the whole step.
    pub fn stepped() -> Self {
        let mut all = Terms::default();
        all.insert(Term::Step);
        Report { positions: all, velocities: all, activations: all, controls: all }
    }

    /// This and another.
    pub(super) fn with(self, other: Report) -> Self {
        Report {
            positions: self.positions.with(other.positions),
            velocities: self.velocities.with(other.velocities),
            activations: self.activations.with(other.activations),
            controls: self.controls.with(other.controls),
        }
    }

    /// Number of columns of which something was differenced, for a state of `[nv, nv, na]` and `nu` controls.
    pub fn columns(&self, nv: usize, na: usize, nu: usize) -> usize {
        let parts = [(self.positions, nv), (self.velocities, nv), (self.activations, na), (self.controls, nu)];
        parts.into_iter().filter(|(terms, _)| !terms.is_empty()).map(|(_, n)| n).sum()
    }
}
