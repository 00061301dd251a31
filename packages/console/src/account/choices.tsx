import { useId } from 'preact/hooks'

interface ChoicesProps {
  legend: string
  hint: string
  of: readonly string[]
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

/** A group of boxes, of which any number can be ticked. */
export function Choices({ legend, hint, of: choices, chosen, onChange }: ChoicesProps) {
  const id = useId()
  return (
    <fieldset class="choices" aria-describedby={`${id}-hint`}>
      <legend>{legend}</legend>
      {choices.map((choice) => (
        <label key={choice}>
          <input
            type="checkbox"
            checked={chosen.includes(choice)}
            onChange={({ currentTarget: { checked } }) =>
              onChange(checked ? [...chosen, choice] : chosen.filter((one) => one !== choice))
            }
          />
          {choice}
        </label>
      ))}
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    </fieldset>
  )
}
