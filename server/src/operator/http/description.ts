import { ERRORS, type ErrorCode } from '../../kernel/errors.ts'
import { namedSchemas, type JsonSchema } from '../../infra/http/schema/named-schemas.ts'
import { ErrorSchema } from '../../infra/http/schema/reply-checker.ts'
import type { Command, Option } from '../command.ts'
import { fieldsOf } from './command-body.ts'
import { answersFile, pathOf, remoteCommands } from './remote-commands.ts'

type Shape = Readonly<Record<string, unknown>>

const WORD = { type: 'string' }
/** A number stands for its digits, as in an amount. */
const TEXT = { type: ['string', 'number'] }
const BATCH_MAX = 500

function schemaOf(option: Option): Shape {
  if (option.flag || option.isSwitch) return { type: 'boolean' }
  return option.repeatable ? { type: 'array', items: TEXT } : TEXT
}

function bodyOf(command: Command, more: Record<string, Shape> = {}): Shape {
  const fields = fieldsOf(command)
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  return {
    type: 'object',
    additionalProperties: false,
    properties: {
      ...more,
      ...Object.fromEntries(
        fields.map(({ name, about, option }) => [
          name,
          { ...(option ? schemaOf(option) : WORD), ...(about !== '' && { description: about }) },
        ]),
      ),
    },
    ...(required.length > 0 && { required: [...Object.keys(more), ...required] }),
  }
}

const json = (schema: Shape): Shape => ({ 'application/json': { schema } })

/** A list is a page of it. */
function answerOf(schema: JsonSchema): Shape {
  if (schema['type'] !== 'array') return schema
  const properties = { data: schema, hasMore: { type: 'boolean' } }
  return { type: 'object', properties, required: ['data', 'hasMore'] }
}

const CODES: readonly ErrorCode[] = [
  'INVALID_INPUT',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'REFERENCE_NOT_FOUND',
  'CONFLICT',
  'RATE_LIMITED',
  'SERVICE_UNAVAILABLE',
]

const FOUR_EYES = 'A second operator has to agree: the proposal.'

const KEY: Shape = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description: 'The same request under the same key has one effect and one answer, for 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const idOf = ({ name }: Command): string =>
  name.replaceAll(/[ -](\w)/g, (_, letter: string) => letter.toUpperCase())

/** `settlements confirm` as a title. */
const titleOf = ({ name }: Command): string =>
  `${name.charAt(0).toUpperCase()}${name.slice(1).replace(' ', ': ')}`

type Names = Readonly<{
  reference: ReturnType<typeof namedSchemas>['reference']
  error: JsonSchema
}>

function refusals({ error }: Names): Shape {
  return Object.fromEntries(
    CODES.map((code) => [
      String(ERRORS[code].status),
      { description: ERRORS[code].message, content: json(error) },
    ]),
  )
}

function success(command: Command, { reference }: Names): Shape {
  if (!answersFile(command))
    return {
      description: 'What `--json` prints.',
      content: json(answerOf(reference(command.answers))),
    }
  const bytes = { schema: { type: 'string', format: 'binary' } }
  return { description: 'The file.', content: { 'application/octet-stream': bytes } }
}

function operation(command: Command, names: Names): Shape {
  const { name, about, access } = command
  return {
    operationId: idOf(command),
    tags: [name.split(' ')[0]],
    summary: titleOf(command),
    description: about,
    ...(access.writes && { parameters: [KEY] }),
    requestBody: { required: true, content: json(bodyOf(command)) },
    responses: {
      200: success(command, names),
      ...((access.fourEyes ?? access.fourEyesFor) && {
        202: { description: FOUR_EYES, content: json({ type: 'object' }) },
      }),
      ...refusals(names),
    },
    'x-required-role': access.roles,
    'x-four-eyes': { always: 'always', threshold: 'threshold', none: 'never' }[
      access.fourEyes ?? 'none'
    ],
  }
}

/** Many of one command, one after the other (OPER-63). */
function batch(command: Command, names: Names): Shape {
  const { parameters: _key, ...one } = operation(command, names) as { parameters?: unknown }
  const key = { type: 'string', minLength: 1, maxLength: 255 }
  const items = { type: 'array', minItems: 1, maxItems: BATCH_MAX, items: bodyOf(command, { key }) }
  const result = {
    type: 'object',
    properties: { key, status: { type: 'integer' }, body: {} },
    required: ['key', 'status', 'body'],
  }
  const results = { type: 'array', items: result }
  return {
    ...one,
    operationId: `${idOf(command)}Batch`,
    summary: `${titleOf(command)}, many at a time`,
    requestBody: {
      required: true,
      content: json({ type: 'object', properties: { items }, required: ['items'] }),
    },
    responses: {
      200: {
        description: 'What each came to, in the same order.',
        content: json({ type: 'object', properties: { results }, required: ['results'] }),
      },
      ...refusals(names),
    },
  }
}

/** What the reference says before the operations. */
const CONVENTIONS: readonly (readonly [string, string])[] = [
  [
    'Authentication',
    '`Authorization: Bearer flop_…`, with a token of `florin operator-tokens create` or of the page My tokens. A token has at most the roles and platforms of its operator.',
  ],
  [
    'Roles',
    'Each operation names the role it needs. Every other role may read; `REVIEWER` decides about people and payees, `TREASURER` about money and prices, `ADMIN` sets up the installation; a `DEVELOPER` has the requests, events, tokens and sandbox tools of the platforms it is limited to.',
  ],
  [
    'Four eyes',
    'What is marked `always`, and `threshold` from the configured amount on, answers 202 with a proposal. Another operator approves it with `proposals approve`.',
  ],
  [
    'Idempotency',
    'Every write needs an `Idempotency-Key` of up to 255 characters. The same key with the same request gives the stored answer for 24 hours; with another request it is refused.',
  ],
  [
    'Bodies',
    'One JSON object: the words of the command under their names, its options in camel case. Numbers may be texts. The answer is what the command prints with `--json`; a list is a page of `data` with `hasMore`.',
  ],
  ['Errors', 'Every refusal is `{ status, code, message, details }`. Decide by `code`.'],
]

/** The description of the operator API, from the commands themselves (OPER-61). */
export function describeOperatorApi(serverUrl: string): Shape {
  const schemas = namedSchemas()
  const names = { reference: schemas.reference, error: schemas.reference(ErrorSchema) }
  const paths: Record<string, Shape> = {}
  for (const command of remoteCommands) {
    paths[pathOf(command)] = { post: operation(command, names) }
    if (command.takesMany) paths[`${pathOf(command)}/batch`] = { post: batch(command, names) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Florin for operators',
      version: '1',
      summary: 'Every command of an operator over HTTP.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    security: [{ OperatorToken: [] }],
    'x-florin-conventions': CONVENTIONS,
    paths,
    components: {
      schemas: schemas.all(),
      securitySchemes: {
        OperatorToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'An operator’s token, `flop_…`.',
        },
      },
    },
  }
}
