import type { Content, Parameter, Route, Schema } from './interface-description.ts'
import {
  docComment,
  propertyText,
  quoted,
  schemaNameOf,
  typeNameOf,
  typeText,
} from './type-text.ts'

/** One method of the SDK as text: its signature, its body, and the names that they need. */
export type ResourceMethod = Readonly<{
  name: string
  signature: string
  implementation: string
  /** The type of the query, where it has one of its own. */
  query: Readonly<{ name: string; text: string }> | undefined
}>

const PROCESSING = 'ProcessingResponse'
const SHOWN_ONCE = 'isShownOnce: true'

/** Any operation may answer these; naming them everywhere would hide the ones that matter. */
const COMMON_CODES = new Set([
  ...['INVALID_INPUT', 'INVALID_REQUEST_FORMAT', 'UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMITED'],
  ...['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_KEY_IN_USE', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'],
])

export function resourceMethod(
  { method, path, operation }: Route,
  {
    name,
    place,
    schemas,
  }: { name: string; place: string; schemas: Readonly<Record<string, Schema>> },
): ResourceMethod {
  if (isStream(operation)) return streamMethod({ method, path, operation }, name)
  const { operationId, parameters = [], requestBody } = operation
  const query = parameters.filter((parameter) => parameter.in === 'query')
  const queryName = `${upperFirst(operationId)}Query`
  // A single one is read best where it is asked for.
  const isInline = query.length === 1
  const queryTypeName = isInline ? `{ ${query.map(parameterType).join('')} }` : queryName
  const traits = traitsOf({ method, path, operation }, schemas)
  const [mediaType, body] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const given = [
    ...pathNames(path).map((one) => ({ name: one, type: 'string', isRequired: true })),
    ...(query.length > 0
      ? [{ name: 'query', type: queryTypeName, isRequired: query.some(({ required }) => required) }]
      : []),
    ...(body === undefined
      ? []
      : [
          { name: 'body', type: typeText(body.schema), isRequired: requestBody?.required === true },
        ]),
    { name: 'options', type: traits.options, isRequired: false },
  ]
  const request = [
    `method: ${quoted(method)}`,
    `path: ${pathText(path)}`,
    ...(query.length > 0 ? ['query'] : []),
    ...(body === undefined ? [] : [mediaType === 'application/json' ? 'body' : 'form: body']),
    ...traits.flags,
  ]
  const call = traits.listItem === undefined ? 'send' : 'list'
  const doc = docOf({ method, path, operation }, traits)
  return {
    name,
    signature: `${doc}${name}(${given.map(parameterText).join(', ')}): ${traits.result}`,
    implementation: `${name}: (${given.map((one) => one.name).join(', ')}) => ${call}({ ${request.join(', ')} }, options)`,
    query:
      query.length > 1
        ? { name: queryName, text: queryType(queryName, { query, place }) }
        : undefined,
  }
}

const isStream = ({ responses }: Route['operation']): boolean =>
  responses['200']?.content?.['text/event-stream'] !== undefined

/** The runtime connects again by itself, so what is asked for is where to begin. */
function streamMethod(route: Route, name: string): ResourceMethod {
  const doc = docOf(route, { flags: [] })
  return {
    name,
    signature: `${doc}${name}(options?: StreamOptions): AsyncIterableIterator<StreamedEvent>`,
    implementation: `${name}: (options) => stream(${quoted(route.path)}, options)`,
    query: undefined,
  }
}

type Given = Readonly<{ name: string; type: string; isRequired: boolean }>

const parameterText = ({ name, type, isRequired }: Given): string =>
  `${name}${isRequired ? '' : '?'}: ${type}`

type Traits = Readonly<{
  options: string
  result: string
  listItem: string | undefined
  flags: readonly string[]
}>

/** What the runtime has to know about an operation besides its address. */
function traitsOf({ method, operation }: Route, schemas: Readonly<Record<string, Schema>>): Traits {
  const { parameters = [], security } = operation
  const takes = (header: RegExp): boolean =>
    parameters.some((parameter) => parameter.in === 'header' && header.test(parameter.name))
  const [isKeyed, isStamped] = [takes(/^Idempotency-Key$/), takes(/-Wallet-Signature$/)]
  const results = resultSchemas(operation)
  const isSigned = results.some((schema) => isChallenge(schema, schemas))
  const isProcessed = results.some((schema) => schemaNameOf(schema) === PROCESSING)
  const finals = results.filter(
    (schema) => schemaNameOf(schema) !== PROCESSING && !isChallenge(schema, schemas),
  )
  const listItem = method === 'GET' ? listItemOf(finals, schemas) : undefined
  const flags = {
    isKeyed,
    isShownOnce: isKeyed && finals.some((schema) => showsOnce(schema, schemas)),
    isSigned,
    isProcessed,
    isAnonymous: security?.length === 0,
  }
  return {
    options: isSigned
      ? 'SignedOptions'
      : isStamped
        ? 'StampedOptions'
        : isKeyed
          ? 'WriteOptions'
          : 'CallOptions',
    result: listItem === undefined ? `Promise<${unionOf(finals)}>` : listItem,
    listItem,
    flags: Object.entries(flags)
      .filter(([, isSet]) => isSet)
      .map(([flag]) => `${flag}: true`),
  }
}

/** The bodies of all answers below 300; an empty one is left out. */
function resultSchemas({ responses }: Route['operation']): Schema[] {
  const contents = Object.entries(responses)
    .filter(([status]) => Number(status) < 300)
    .flatMap(([, { content }]) => (content === undefined ? [] : [content]))
  return contents.flatMap((content: Content) => {
    const schema = content['application/json']?.schema ?? {}
    return schema.anyOf ?? [schema]
  })
}

/** What is answered instead of a result as long as the owner of a wallet has not signed. */
function isChallenge(schema: Schema, schemas: Readonly<Record<string, Schema>>): boolean {
  const name = schemaNameOf(schema)
  const { properties = {} } = (name === undefined ? schema : schemas[name]) ?? {}
  return 'payloadToSign' in properties && 'requestId' in properties
}

/** Whether an answer holds what nobody can have again. */
function showsOnce(schema: Schema, schemas: Readonly<Record<string, Schema>>): boolean {
  const name = schemaNameOf(schema)
  const { properties = {}, oneOf = [] } = (name === undefined ? schema : schemas[name]) ?? {}
  return (
    Object.values(properties).some((property) => property['x-shown-once']) ||
    oneOf.some((variant) => showsOnce(variant, schemas))
  )
}

function listItemOf(
  results: readonly Schema[],
  schemas: Readonly<Record<string, Schema>>,
): string | undefined {
  const name = results[0] === undefined ? undefined : schemaNameOf(results[0])
  const data = name === undefined ? undefined : schemas[name]?.properties?.['data']
  if (name === undefined || data?.type !== 'array') return undefined
  return `List<${typeText(data.items ?? {})}, ${typeNameOf(name)}>`
}

const unionOf = (schemas: readonly Schema[]): string =>
  schemas.length === 0 ? 'void' : [...new Set(schemas.map(typeText))].join(' | ')

const parameterType = ({ name, required, schema, description = '' }: Parameter): string =>
  propertyText({ name, schema: { ...schema, description }, isRequired: required })

function queryType(
  typeName: string,
  { query, place }: { query: readonly Parameter[]; place: string },
): string {
  const properties = query.map(parameterType)
  const doc = docComment([`What \`${place}\` can be asked for.`])
  return `${doc}export interface ${typeName} {\n${properties.join('\n')}\n}\n`
}

const PATH_PARAMETER = /\{(\w+)\}/g

const pathNames = (path: string): string[] =>
  [...path.matchAll(PATH_PARAMETER)].map(([, name = '']) => name)

const pathText = (path: string): string =>
  pathNames(path).length === 0
    ? quoted(path)
    : `\`${path.replaceAll(PATH_PARAMETER, (_, name: string) => `\${encodeURIComponent(${name})}`)}\``

function docOf({ method, path, operation }: Route, { flags }: Pick<Traits, 'flags'>): string {
  const { summary, description, deprecated } = operation
  const needs = operation['x-florin-permission']
  const codes = (operation['x-florin-errors'] ?? []).filter((code) => !COMMON_CODES.has(code))
  const said = `${summary}.${description === undefined ? '' : ` ${description}`}`
  const permission = needs === undefined || needs === 'NOTHING' ? '' : `, needs ${needs}`
  const refusals = codes.length === 0 ? '' : ` Refuses with ${codes.join(', ')}.`
  const place = `\`${method} ${path}\`${permission}.${refusals}`
  const once = 'Not sent again when no answer came: what it shows is shown once.'
  const lines = [said, place, ...(flags.includes(SHOWN_ONCE) ? [once] : [])]
  return docComment(lines, { deprecated: deprecated === true })
}

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
