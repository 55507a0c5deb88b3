/** The part of a CSV answer that goes into headers. */
export interface CsvPage {
  /** Parameters of the next page that differ from those of this one. Null: there is none. */
  readonly next: Readonly<Record<string, string>> | null
  /** Members of `data` beside the rows, as texts. */
  readonly members: Readonly<Record<string, string>>
}
