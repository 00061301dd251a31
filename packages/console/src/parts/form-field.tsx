import { useId } from 'preact/hooks'
import { Marked } from './pieces.js'

interface FieldProps {
  label: string
  value: string
  onChange: (value: string) => void
  hint?: string | undefined
  problem?: string | undefined
  required?: boolean
  placeholder?: string | undefined
  type?: 'text' | 'password' | 'number' | 'search'
  /** a choice of these in place of text; '' is shown as the text of `none` */
  choices?: readonly string[]
  /** of choices that are not shown as they are */
  names?: Readonly<Record<string, string>> | undefined
  none?: string
  /** rows of a larger field */
  rows?: number
}

/** A field with its label, hint and error, connected for screen readers. */
export function FormField(props: FieldProps) {
  const { label, hint, problem, required = false } = props
  const id = useId()
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id}>
        {label}
        {required && <span class="needed"> (required)</span>}
      </label>
      <Control {...props} id={id} described={described} />
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          <Marked text={hint} />
        </p>
      )}
      {problem && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  )
}

function Control(props: FieldProps & { id: string; described: string }) {
  const { id, described, value, onChange, problem, placeholder, choices, rows, type = 'text', none } = props
  const shared = {
    id,
    value,
    'aria-describedby': described === '' ? undefined : described,
    'aria-invalid': problem === undefined ? undefined : true,
    // The browser requires it when a form is sent.
    required: props.required,
    autocomplete: 'off' as const,
    spellcheck: false,
    onInput: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  }
  if (choices) {
    return (
      <select {...shared}>
        {none !== undefined && <option value="">{none}</option>}
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {props.names?.[choice] ?? choice}
          </option>
        ))}
      </select>
    )
  }
  if (rows !== undefined) return <textarea {...shared} rows={rows} placeholder={placeholder} />
  const number = type === 'number' ? { inputMode: 'numeric' as const, type: 'text' } : { type }
  return <input {...shared} {...number} placeholder={placeholder} />
}

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
