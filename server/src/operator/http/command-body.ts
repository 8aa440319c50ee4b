/** The arguments and options of a command as the fields of one JSON object (OPER-60). */
import { failFields, mustHaveNoErrors, type FieldError } from '../../kernel/errors.ts'
import { unstorableValues } from '../../infra/http/input/unstorable-values.ts'
import { inCamelCase, UsageError, type CommandHead, type Input, type Option } from '../command.ts'
import { inputFor, type Values } from '../command-line/command-line.ts'

type Field = Readonly<{
  name: string
  about: string
  isRequired: boolean
  /** Absent for an argument. */
  option?: Readonly<{ name: string }> & Option
}>

/** Options that name a file of this machine are left out: a remote caller has no files here. */
export function fieldsOf({
  takes = [],
  mayOmitArguments = false,
  options = {},
}: CommandHead): Field[] {
  const args = takes.map((name) => ({ name, about: '', isRequired: !mayOmitArguments }))
  const named = Object.entries(options).filter(([, { isPath }]) => !isPath)
  return [
    ...args,
    ...named.map(([name, option]) => ({
      name: inCamelCase(name),
      about: option.about,
      isRequired: option.required ?? false,
      option: { name, ...option },
    })),
  ]
}

const isText = (value: unknown): boolean =>
  typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))

/** The error of a value; a number is accepted for a text, since amounts are texts on the command line. */
function problemOf({ option }: Field, value: unknown): string | undefined {
  if (option?.flag || option?.isSwitch)
    return typeof value === 'boolean' ? undefined : 'must be true or false'
  if (option?.repeatable)
    return Array.isArray(value) && value.every(isText) ? undefined : 'must be a list of texts'
  return isText(value) ? undefined : 'must be a text or a number'
}

function valueOf(option: Option, value: unknown): Values[string] {
  if (option.isSwitch) return value === true ? 'on' : 'off'
  if (option.flag) return value === true
  return Array.isArray(value) ? value.map(String) : String(value)
}

/** Fails: INVALID_INPUT, with every field that is wrong, missing or unknown. */
export function readBody(
  command: CommandHead,
  body: unknown,
  further: readonly FieldError[] = [],
): Input {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    failFields([{ field: '', message: 'must be a JSON object' }, ...further])
  const values = new Map(Object.entries(body).filter(([, value]) => value !== null))
  const fields = fieldsOf(command)
  const errors = fields.flatMap((field) => {
    const { name, isRequired } = field
    if (!values.has(name)) return isRequired ? [{ field: name, message: 'is required' }] : []
    const message = problemOf(field, values.get(name))
    return message === undefined ? [] : [{ field: name, message }]
  })
  const unknown = [...values.keys()]
    .filter((name) => !fields.some((field) => field.name === name))
    .map((field) => ({ field, message: 'is not a field of this command' }))
  const wrong = [...errors, ...unstorableValues(body), ...unknown, ...further]
  mustHaveNoErrors(wrong)
  const present = fields.filter(({ name }) => values.has(name))
  return inputFor(command, {
    args: present.filter(({ option }) => !option).map(({ name }) => String(values.get(name))),
    options: Object.fromEntries(
      present.flatMap(({ name, option }) =>
        option ? [[option.name, valueOf(option, values.get(name))]] : [],
      ),
    ),
  })
}

/** Turns a UsageError into INVALID_INPUT of the field that it is about. */
export const refusingUsage = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: unknown) => {
    if (error instanceof UsageError) return failFields([usageToField(error.message)])
    throw error
  })

function usageToField(message: string): FieldError {
  const named = /--([a-z-]+)/.exec(message)?.[1]
  const plain = message.replaceAll(/--([a-z-]+)/g, (_, name: string) => inCamelCase(name))
  return { field: named === undefined ? '' : inCamelCase(named), message: plain }
}
