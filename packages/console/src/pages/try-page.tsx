import { useMemo, useState } from 'preact/hooks'
import { FormField } from '../parts/form-field.js'
import { Failure, Heading, Marked, Section } from '../parts/pieces.js'
import { routeHash } from '../routes.js'
import { useSession } from '../session.js'
import { fieldKey } from '../try-it/built-request.js'
import { readOperations, type Field, type Operation } from '../try-it/operation-form.js'
import { UnknownPage } from './unknown-page.js'
import { RequestResult } from '../try-it/request-result.js'

/** Every operation of the API with a form, made from the API document. */
export function TryPage({ operation: id }: { operation: string | undefined }) {
  const { document } = useSession()
  const operations = useMemo(() => readOperations(document), [document])
  const operation = operations.find((one) => one.id === id)
  if (id !== undefined && !operation)
    return <UnknownPage address={routeHash({ page: 'try', operation: id })} />
  return (
    <>
      <Heading title={operation ? operation.summary : 'Try it'}>
        {operation ? operation.summary : 'Try it'}
      </Heading>
      <div class="with-menu">
        <Menu operations={operations} current={id} />
        {operation ? (
          <OperationForm key={operation.id} operation={operation} />
        ) : (
          <p class="lead">Choose an operation. Its form shows the shell command and can send the request.</p>
        )}
      </div>
    </>
  )
}

function Menu({ operations, current }: { operations: Operation[]; current: string | undefined }) {
  const tags = [...new Set(operations.map(({ tag }) => tag))]
  return (
    <nav class="card menu" aria-label="Operations">
      {tags.map((tag) => (
        <details
          key={tag}
          open={operations.some((one) => one.tag === tag && one.id === current) || undefined}
        >
          <summary>{tag}</summary>
          <ul>
            {operations
              .filter((operation) => operation.tag === tag)
              .map(({ id, method, path, summary }) => (
                <li key={id}>
                  <a
                    href={routeHash({ page: 'try', operation: id })}
                    aria-current={id === current ? 'page' : undefined}
                  >
                    {summary}
                    <span class="mono hint">
                      {method} {path}
                    </span>
                  </a>
                </li>
              ))}
          </ul>
        </details>
      ))}
    </nav>
  )
}

function OperationForm({ operation }: { operation: Operation }) {
  const [values, setValues] = useState<Record<string, string>>({})
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map())
  const { method, path, paragraphs, fields, examples } = operation
  return (
    <div class="stack">
      <Section title="Request">
        <p class="mono wrap">
          <strong>{method}</strong> {path}
        </p>
        {paragraphs.map((text) => (
          <p class="hint prose" key={text}>
            <Marked text={text} />
          </p>
        ))}
        {examples.length > 0 && (
          <div class="row" role="group" aria-label="Examples">
            {examples.map((example) => (
              <button
                type="button"
                key={example.summary}
                onClick={() => setValues(fromExample(fields, example.values))}
              >
                {example.summary}
              </button>
            ))}
          </div>
        )}
        <div class="form-grid">
          {fields.map((field) => (
            <OperationField
              key={fieldKey(field)}
              field={field}
              value={values[fieldKey(field)] ?? ''}
              problem={problems.get(fieldKey(field))}
              onChange={(value) => setValues({ ...values, [fieldKey(field)]: value })}
            />
          ))}
        </div>
        <Failure text={problems.size > 0 ? 'The form is incomplete: see the fields.' : undefined} />
      </Section>
      <RequestResult operation={operation} values={values} onProblems={setProblems} />
    </div>
  )
}

const fromExample = (fields: readonly Field[], values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    fields.map((field) => [
      fieldKey(field),
      field.place === 'body' ? (values[field.name] ?? '') : field.required ? field.hint : '',
    ]),
  )

function OperationField({
  field,
  value,
  problem,
  onChange,
}: {
  field: Field
  value: string
  problem: string | undefined
  onChange: (value: string) => void
}) {
  const { name, kind, place, required, description, choices, hint } = field
  const type = kind === 'secret' ? 'password' : kind === 'number' ? 'number' : 'text'
  return (
    <FormField
      label={place === 'body' ? name : `${name} (${place})`}
      value={value}
      onChange={onChange}
      hint={description}
      problem={problem}
      required={required}
      placeholder={hint}
      type={type}
      {...(kind === 'choice' && { choices, none: '' })}
      {...(kind === 'json' && { rows: 3 })}
    />
  )
}
