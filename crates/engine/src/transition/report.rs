//! Which terms of a derivative have a closed form, and which were differenced.

/// Terms of a step that have no closed-form derivative here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[non_exhaustive]
pub enum Term {
    /// The whole step.
    Step,
    /// Directions of tendons where they touch a geom: six values by six.
    Wrapping,
    /// Moments of adhesion actuators, which depend on contacts.
    Transmission,
    /// Elastic forces of flexes.
    Flex,
    /// Velocity slopes of fluid forces, as implicit integrators use them.
    FluidDamping,
    /// Constraint rows at a given acceleration: their Jacobian, position and reference.
    Constraint,
    /// Distances, points and frames of contacts, differenced per geom pair.
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

    /// Name of the term, in words.
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

    /// Whether differences of the term only evaluate a local function of a few variables, instead of running stages of
    /// the step for every column.
    pub fn is_local(self) -> bool {
        matches!(self, Term::Wrapping | Term::Contact)
    }
}

/// A set of terms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terms(u16);

impl Terms {
    /// Adds a term.
    pub fn insert(&mut self, term: Term) {
        self.0 |= 1 << term as u16;
    }

    /// Union of two sets.
    pub(super) fn with(self, other: Terms) -> Terms {
        Terms(self.0 | other.0)
    }

    /// The set without one term.
    pub(super) fn without(self, term: Term) -> Terms {
        Terms(self.0 & !(1 << term as u16))
    }

    /// Whether the set contains a term.
    pub fn has(self, term: Term) -> bool {
        self.0 & (1 << term as u16) != 0
    }

    /// The terms that also affect what integrators add.
    pub(super) fn of_integrators(self) -> Terms {
        let kept = [Term::Transmission, Term::FluidDamping];
        Terms(self.0 & kept.iter().fold(0, |sum, &t| sum | 1 << t as u16))
    }

    /// The terms that depend on velocity as well as on position.
    pub(super) fn of_velocity(self) -> Terms {
        self.without(Term::Constraint)
    }

    /// Whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Iterates over the terms in the set.
    pub fn iter(self) -> impl Iterator<Item = Term> {
        Term::ALL.into_iter().filter(move |&t| self.has(t))
    }
}

/// Which terms were differenced, by columns of the derivative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Terms that were differenced in columns of positions.
    pub positions: Terms,
    /// The same for columns of velocities.
    pub velocities: Terms,
    /// The same for columns of activations.
    pub activations: Terms,
    /// The same for columns of controls.
    pub controls: Terms,
}

impl Report {
    /// Report for differences of the whole step.
    pub fn stepped() -> Self {
        let mut all = Terms::default();
        all.insert(Term::Step);
        Report { positions: all, velocities: all, activations: all, controls: all }
    }

    /// Union of two reports.
    pub(super) fn with(self, other: Report) -> Self {
        Report {
            positions: self.positions.with(other.positions),
            velocities: self.velocities.with(other.velocities),
            activations: self.activations.with(other.activations),
            controls: self.controls.with(other.controls),
        }
    }

    /// Number of columns in which something was differenced, for a state of `[nv, nv, na]` and `nu` controls.
    pub fn columns(&self, nv: usize, na: usize, nu: usize) -> usize {
        let parts = [(self.positions, nv), (self.velocities, nv), (self.activations, na), (self.controls, nu)];
        parts.into_iter().filter(|(terms, _)| !terms.is_empty()).map(|(_, n)| n).sum()
    }
}
