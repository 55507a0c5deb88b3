// A value, or a comma-separated list of values, from a closed set.

import { textValue } from './text-value.ts'

const listed = (values: readonly string[]): string => values.map((value) => `\`${value}\``).join(', ')

export function choice<const T extends string>(values: readonly T[]) {
  return textValue({ type: 'string', enum: values }, `must be one of ${listed(values)}.`, (text) => {
    return values.find((value) => value === text) ?? null
  })
}

/** One or more values, separated by commas: sorted, each once, so that two spellings of a filter are equal. */
export function choiceList<const T extends string>(values: readonly T[]) {
  const rule = `must be one value, or several separated by commas without spaces, of ${listed(values)}.`
  const one = `(?:${values.join('|')})`
  return textValue({ type: 'string', pattern: `^${one}(?:,${one})*$` }, rule, (text): readonly T[] | null => {
    const asked = text.split(',')
    if (asked.some((part) => !values.some((value) => value === part))) return null
    return values.filter((value) => asked.includes(value)).sort()
  })
}
