// Collects findings: the first ones of each check, and the count of all, so that a report stays bounded.

import { type CheckName, type Finding, SHOWN } from './verification.ts'

export class Findings {
  readonly #shown: Finding[] = []
  readonly #counts = new Map<CheckName, number>()

  add(finding: Finding): void {
    const count = (this.#counts.get(finding.check) ?? 0) + 1
    this.#counts.set(finding.check, count)
    if (count <= SHOWN) this.#shown.push(finding)
  }

  countOf(check: CheckName): number {
    return this.#counts.get(check) ?? 0
  }

  get shown(): readonly Finding[] {
    return this.#shown
  }

  get counts(): Readonly<Partial<Record<CheckName, number>>> {
    return Object.fromEntries(this.#counts)
  }
}
