//! How good the particles of a belief are, in words.

use super::output::plural;
use crate::belief::ParticleReport;

/// Fewer equally likely ones are few.
const FEW: f64 = 30.0;

/// A line on those of a question.
pub fn particle_text(report: &ParticleReport) -> String {
    let mut text = plural(report.particles as u64, "particle");
    text += &match report.survived {
        0 => "; none fitted what was seen last".to_string(),
        n => format!(
            "; {n} fitted what was seen last, worth {:.0}",
            report.effective
        ),
    };
    if report.resampled {
        text += ", and they were resampled";
    }
    if report.tried > 0 {
        text += &format!(
            "; {} of {} proposed changes were taken",
            report.accepted, report.tried
        );
    }
    if report.repairs > 0 {
        text += &format!("; none was left {}", plural(report.repairs, "time"));
    }
    if report.lost > 0 {
        text += &format!(", and none was found {}", plural(report.lost, "time"));
    }
    text.push('\n');
    text
}

/// Why particles say little, if they do.
pub fn particle_warning(report: &ParticleReport) -> Option<&'static str> {
    Some(match (report.particles, report.survived) {
        (0, _) => "no way of play was found that fits all that was seen, though there is one",
        (_, 0) => {
            "no particle was left here, and others had to be searched for: likelihoods may be far off"
        }
        (_, 1) => "all of them come from one particle: likelihoods may be far off",
        _ if report.repairs > 0 => {
            "no particle was left at an earlier question, and others had to be searched for: likelihoods may be far off"
        }
        _ if report.late => {
            "time was over before all particles were advanced and moved about: likelihoods may be far off"
        }
        _ if report.resampled && report.effective < FEW => {
            "few particles were left here, of which the others are copies: likelihoods may be off"
        }
        _ => return None,
    })
}

/// A warning of particles that say little, if they do. `states` is what sets how many states may be found before any are drawn.
pub fn poor_particles(report: &ParticleReport, states: &str) -> Option<String> {
    let what = particle_warning(report)?;
    Some(format!(
        "warning: {what}; where {states} is greater, all states may be found instead\n"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_there_was_is_told() {
        let report = ParticleReport {
            particles: 500,
            survived: 67,
            effective: 40.4,
            resampled: true,
            late: false,
            tried: 900,
            accepted: 12,
            repairs: 2,
            lost: 1,
        };
        assert_eq!(
            particle_text(&report),
            "500 particles; 67 fitted what was seen last, worth 40, and they were resampled; 12 of 900 proposed changes were \
             taken; none was left 2 times, and none was found 1 time\n"
        );
        assert_eq!(
            poor_particles(&report, "`--states`").unwrap(),
            "warning: no particle was left at an earlier question, and others had to be searched for: likelihoods may be far \
             off; where `--states` is greater, all states may be found instead\n"
        );
        let fine = ParticleReport {
            repairs: 0,
            lost: 0,
            ..report
        };
        assert_eq!(poor_particles(&fine, "`--states`"), None);
        let one = ParticleReport {
            survived: 1,
            ..fine
        };
        assert_eq!(
            poor_particles(&one, "`--states`").unwrap(),
            "warning: all of them come from one particle: likelihoods may be far off; where `--states` is greater, all states may \
             be found instead\n"
        );
        let few = ParticleReport {
            effective: 20.4,
            ..fine
        };
        let late = ParticleReport { late: true, ..few };
        let starts = |report, start| poor_particles(report, "").is_some_and(|w| w.contains(start));
        assert!(starts(&few, "few particles"));
        assert!(starts(&late, "time was over"));
        let nothing = ParticleReport {
            repairs: 1,
            lost: 1,
            ..ParticleReport::default()
        };
        assert_eq!(
            particle_text(&nothing),
            "0 particles; none fitted what was seen last; none was left 1 time, and none was found 1 time\n"
        );
    }
}
