/** What an operator says of a provider, and what may be wrong with it: all problems are listed at once (PROV-2). */
import { X509Certificate } from 'node:crypto'
import { Type, type Static, type TSchema } from '../../infra/http/schema/type.ts'
import type { FieldError } from '../../kernel/errors.ts'
import { CURRENCIES } from '../../kernel/money/currency.ts'
import { PAYMENT_RAILS } from '../../kernel/money/payment-rail.ts'
import { amountToWire } from '../../kernel/money/wire-money.ts'
import {
  PORTS,
  PROVIDER_KINDS,
  PROVIDER_STATUSES,
  type Port,
  type RegisteredProvider,
} from '../../kernel/ports.ts'
import { traitsOf } from '../../kernel/platform-traits.ts'
import { bodyValidator } from '../../infra/http/schema/validate.ts'
import { environmentSchema, idField, oneOf } from '../../infra/http/schema/wire-schema.ts'
import { addressProblem } from '../../infra/outbound/address-problem.ts'
import { MANUAL_PORTS } from '../../infra/providers/built-in.ts'

const listOf = <S extends TSchema>(of: S) =>
  Type.Optional(Type.Array(of, { minItems: 1, uniqueItems: true }))
const within = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum })

const WINDOW_MIN_SECONDS = 300
const WINDOW_MAX_SECONDS = 2_592_000
const IN_FLIGHT_MAX = 64
const DEADLINE_MIN_MS = 500
const DEADLINE_MAX_MS = 10_000

const FieldsSchema = Type.Object({
  name: Type.String({ pattern: '^[a-z][a-z0-9-]{1,39}$' }),
  kind: oneOf(PROVIDER_KINDS),
  environment: environmentSchema(),
  ports: Type.Array(oneOf(PORTS), { minItems: 1, uniqueItems: true }),
  url: Type.Optional(Type.String()),
  ca: Type.Optional(Type.String()),
  platforms: listOf(idField('platform')),
  rails: listOf(oneOf([...PAYMENT_RAILS, 'LIGHTNING'])),
  currencies: listOf(oneOf(CURRENCIES.map(({ code }) => code))),
  accountTypes: listOf(Type.String()),
  status: oneOf(PROVIDER_STATUSES),
  config: Type.Record(Type.String(), Type.Unknown()),
  resendWindowSeconds: within(WINDOW_MIN_SECONDS, WINDOW_MAX_SECONDS),
  maxInFlight: within(1, IN_FLIGHT_MAX),
  authorizationDeadlineMs: within(DEADLINE_MIN_MS, DEADLINE_MAX_MS),
  paymentThreshold: Type.Integer({ minimum: 0 }),
})

export type ProviderFields = Static<typeof FieldsSchema>

/** Fields as they were given: of any form until they are checked. */
export type GivenFields = Readonly<{ [K in keyof ProviderFields]?: unknown }>

type Kind = ProviderFields['kind']

const PORTS_OF_KIND: Readonly<Record<Kind, readonly Port[]>> = {
  sandbox: PORTS,
  manual: MANUAL_PORTS,
  // Messages are sent by settings.
  http: PORTS.filter((port) => port !== 'messages'),
}

/** What a provider of a kind can be set to; none of `http` is secret. */
const CONFIG_OF_KIND: Readonly<Record<Kind, TSchema>> = {
  sandbox: Type.Object({}, { additionalProperties: false }),
  manual: Type.Object({}, { additionalProperties: false }),
  http: Type.Object(
    {
      pull: Type.Optional(Type.Array(Type.String())),
      nameCheck: Type.Optional(Type.Boolean()),
      pullSeconds: Type.Optional(within(10, 300)),
      maxMoveBps: Type.Optional(within(1, 1_000_000)),
    },
    { additionalProperties: false },
  ),
}

const SELECTOR_PORTS: Readonly<Record<'rails' | 'currencies' | 'accountTypes', readonly Port[]>> = {
  rails: ['rails'],
  currencies: ['rails', 'deposits', 'screening'],
  accountTypes: ['rails'],
}

const validateFields = bodyValidator(FieldsSchema)
const validateConfig = Object.fromEntries(
  Object.entries(CONFIG_OF_KIND).map(([kind, schema]) => [kind, bodyValidator(schema)]),
)

const RESERVED_NAMES = ['sandbox', 'manual', 'smtp', 'sms-gateway']

export type KnownNames = Readonly<{ accountTypes: readonly string[] }>

/** The fields of the right form; the rules between fields are checked on these alone. */
type FormedFields = Partial<ProviderFields>

/** Everything that is wrong with the fields by themselves; whether platforms exist is the caller's question. */
export function fieldProblems(given: GivenFields, known: KnownNames): FieldError[] {
  const malformed = validateFields(given)
  const isFormed = ([name]: [string, unknown]): boolean =>
    !malformed.some(({ field }) => field.split('.')[0] === name)
  const fields = Object.fromEntries(Object.entries(given).filter(isFormed)) as FormedFields
  return [
    ...malformed,
    ...(RESERVED_NAMES.some((name) => name === fields.name)
      ? [{ field: 'name', message: 'is the name of a built-in provider' }]
      : []),
    ...kindProblems(fields),
    ...urlProblems(fields.url),
    ...caProblems(fields),
    ...selectorProblems(fields),
    ...unknownTypes('accountTypes', fields.accountTypes, known),
    ...configProblems(fields, known),
  ]
}

function kindProblems({ kind, environment, ports = [], url }: FormedFields): FieldError[] {
  if (!kind) return []
  const wrong = ports.filter((port) => !PORTS_OF_KIND[kind].includes(port))
  return [
    ...(kind === 'sandbox' && environment && !traitsOf({ environment }).hasMagicValues
      ? [{ field: 'kind', message: 'must not be sandbox in PRODUCTION' }]
      : []),
    ...wrong.map((port) => ({ field: 'ports', message: `${port} is not served by kind ${kind}` })),
    ...((kind === 'http') === (url !== undefined)
      ? []
      : [{ field: 'url', message: kind === 'http' ? 'is required' : `is not for kind ${kind}` }]),
  ]
}

const isLoopbackHost = (hostname: string): boolean =>
  hostname === 'localhost' ||
  addressProblem(hostname.replace(/^\[|\]$/g, ''), { allowLoopback: false }) === 'loopback'

function urlProblems(text: unknown): FieldError[] {
  if (typeof text !== 'string') return []
  const url = URL.parse(text)
  const problem = (message: string): FieldError[] => [{ field: 'url', message }]
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    return problem('must be an https address')
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname))
    return problem('must be https, but for loopback addresses')
  return url.username || url.password || /[?#]/.test(text)
    ? problem('must not hold credentials, a query or a fragment')
    : []
}

function caProblems({ ca, kind = 'http' }: FormedFields): FieldError[] {
  if (ca === undefined) return []
  try {
    if (kind === 'http' && new X509Certificate(ca)) return []
  } catch {
    // The message below says it.
  }
  return [{ field: 'ca', message: 'must hold certificates in PEM, of an http provider' }]
}

function selectorProblems(fields: FormedFields): FieldError[] {
  const { ports = [] } = fields
  return Object.entries(SELECTOR_PORTS).flatMap(([selector, allowed]) => {
    if (fields[selector as keyof typeof SELECTOR_PORTS] === undefined) return []
    const wrong = ports.filter((port) => !allowed.includes(port))
    return wrong.map((port) => ({ field: selector, message: `does not select orders of ${port}` }))
  })
}

const unknownTypes = (
  field: string,
  types: readonly string[] | undefined,
  { accountTypes }: KnownNames,
): FieldError[] =>
  (types ?? [])
    .filter((type) => !accountTypes.includes(type))
    .map((type) => ({ field, message: `${type} is no account type` }))

function configProblems({ kind, config }: FormedFields, known: KnownNames): FieldError[] {
  if (!kind || !config) return []
  const found = validateConfig[kind]?.(config) ?? []
  if (found.length > 0)
    return found.map((error) => ({ ...error, field: `config.${error.field}`.replace(/\.$/, '') }))
  return unknownTypes('config.pull', config['pull'] as readonly string[] | undefined, known)
}

/** The fields of a provider as an operator would have given them. */
export function fieldsOf(provider: RegisteredProvider, toId: (id: string) => string): GivenFields {
  const { id: _, platformIds, createdAt: __, updatedAt: ___, ...rest } = provider
  const fields = {
    ...rest,
    platforms: platformIds?.map(toId),
    paymentThreshold: amountToWire(provider.paymentThreshold),
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => (value ?? null) !== null))
}
