// The choice of a range: radio buttons in one row.

import { useId } from 'preact/hooks'

interface RangeControlProps<Choice extends string> {
  /** What the range is of, for readers that do not see where it stands. */
  readonly about: string
  readonly choices: Readonly<Record<Choice, string>>
  readonly chosen: Choice
  readonly onChoose: (choice: Choice) => void
}

export function RangeControl<Choice extends string>({ about, choices, chosen, onChoose }: RangeControlProps<Choice>) {
  const name = useId()
  return (
    <fieldset class="ranges">
      <legend class="unseen">Range of {about}</legend>
      {(Object.keys(choices) as Choice[]).map((choice) => (
        <label key={choice}>
          <input type="radio" name={name} value={choice} checked={choice === chosen} onChange={() => onChoose(choice)} />
          <span>{choices[choice]}</span>
        </label>
      ))}
    </fieldset>
  )
}
