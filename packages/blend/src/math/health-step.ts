// Steps of health factors: parts of the range in which a position is when its health factor is between two neighbouring hundredths.

import type { DecimalText } from '@orrery/protocol-kit'

/** Lower edge of a step in hundredths: 50 to 299. 0: below 0.5. 300: 3 and above. */
export type HealthStep = number

const LOWEST = 50
const HIGHEST = 300

export function stepOf(healthFactor: DecimalText): HealthStep {
  const point = healthFactor.indexOf('.')
  if (point < 0) return clamped(Number(healthFactor) * 100)
  const part = healthFactor.slice(point + 1, point + 3)
  return clamped(Number(healthFactor.slice(0, point)) * 100 + Number(part) * (part.length === 1 ? 10 : 1))
}

/** Step of a number that is not exact. The caller knows how far it may be off. */
export function stepNear(healthFactor: number): HealthStep {
  return clamped(Math.floor(healthFactor * 100))
}

function clamped(hundredths: number): HealthStep {
  return hundredths < LOWEST ? 0 : Math.min(HIGHEST, hundredths)
}
