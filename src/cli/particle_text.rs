//! How good the particles of a belief are, in words.

use super::output::plural;
use crate::belief::ParticleReport;

/// A line on those of a question.
pub fn particle_text(report: &ParticleReport) -> String {
    let (count, survived) = (report.particles as u64, report.survived as u64);
    let mut text = format!("{}, ", plural(count, "particle"));
    text += &format!("{survived} left of those at the question before");
    if count > 0 {
        let worth = report.effective;
        text += &format!(", worth {worth:.0} before they were resampled");
    }
    if report.tried > 0 {
        text += &format!("; {} of {} moved", report.accepted, report.tried);
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

/// A warning of particles that say little, if they do. `states` is what sets how many states may be found before any are drawn.
pub fn poor_particles(report: &ParticleReport, states: &str) -> Option<String> {
    let what = match (report.particles, report.survived) {
        (0, _) => "no way of play was found that fits all that was seen, though there is one",
        (_, 0) => {
            "no particle was left here, and others had to be searched for: likelihoods may be far off"
        }
        (_, 1) => "all of them come from one particle: likelihoods may be far off",
        _ if report.repairs > 0 => {
            "no particle was left at an earlier question, and others had to be searched for: likelihoods may be far off"
        }
        _ => return None,
    };
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
            survived: 37,
            effective: 20.4,
            tried: 900,
            accepted: 12,
            repairs: 2,
            lost: 1,
        };
        assert_eq!(
            particle_text(&report),
            "500 particles, 37 left of those at the question before, worth 20 before they were resampled; 12 of 900 moved; \
             none was left 2 times, and none was found 1 time\n"
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
        let nothing = ParticleReport {
            repairs: 1,
            lost: 1,
            ..ParticleReport::default()
        };
        assert_eq!(
            particle_text(&nothing),
            "0 particles, 0 left of those at the question before; none was left 1 time, and none was found 1 time\n"
        );
    }
}
