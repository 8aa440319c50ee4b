/** A collection of requests for Postman, Insomnia and Bruno, from an OpenAPI description (OPER-203). */
import type { OpenApi } from './openapi.ts'

type Shape = Readonly<Record<string, unknown>>
type Schema = Readonly<{ $ref?: string; properties?: Record<string, Shape>; required?: string[] }>
type Content = Readonly<{
  schema: Schema
  example?: unknown
  examples?: Readonly<Record<string, Readonly<{ value?: unknown }>>>
}>
type Parameter = Readonly<{ name: string; in: string; required: boolean; description?: string }>
type Described = Readonly<{
  tags?: readonly string[]
  summary: string
  description?: string
  security?: readonly Shape[]
  parameters?: readonly Parameter[]
  requestBody?: Readonly<{ content: Readonly<Record<string, Content>> }>
}>
type Description = Readonly<{
  info: Readonly<{ title: string; summary?: string; version: string }>
  servers: readonly Readonly<{ url: string }>[]
  tags?: readonly Readonly<{ name: string; description: string }>[]
  security: readonly Shape[]
  paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  components: Readonly<{
    schemas: Readonly<Record<string, Schema>>
    securitySchemes: Readonly<Record<string, Readonly<{ scheme?: string }>>>
  }>
}>

const FORMAT = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
const KEY = 'Idempotency-Key'
/** Clients replace this variable by a new uuid in each request. */
const RANDOM = '{{$guid}}'

/** One folder for each tag, variables for the address, the credentials and every id in a path. */
export function collectionOf(openApi: OpenApi): Shape {
  const description = openApi as unknown as Description
  const { info, servers, tags = [] } = description
  const routes = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
  const names = new Set(routes.flatMap(({ path }) => namesIn(path)))
  return {
    info: {
      name: info.title,
      description: info.summary ?? '',
      version: info.version,
      schema: FORMAT,
    },
    auth: authOf(description, description.security),
    variable: [
      { key: 'baseUrl', value: servers[0]?.url ?? '' },
      ...['clientId', 'clientSecret', 'accessToken', ...names].map((key) => ({ key, value: '' })),
    ],
    item: [...Map.groupBy(routes, ({ operation }) => operation.tags?.[0] ?? '')].map(
      ([name, own]) => ({
        name,
        description: tags.find((tag) => tag.name === name)?.description ?? '',
        item: own.map((route) => itemOf(description, route)),
      }),
    ),
  }
}

type Route = Readonly<{ method: string; path: string; operation: Described }>

const namesIn = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

function itemOf(description: Description, { method, path, operation }: Route): Shape {
  const { summary, description: about, security, parameters = [], requestBody } = operation
  const [[type, content] = []] = Object.entries(requestBody?.content ?? {})
  const isForm = type === 'multipart/form-data'
  const body = content && (isForm ? formOf(description, content) : jsonOf(content))
  return {
    name: summary,
    request: {
      method: method.toUpperCase(),
      ...(about && { description: about }),
      ...(security && { auth: authOf(description, security) }),
      header: [
        ...(body && !isForm ? [{ key: 'Content-Type', value: 'application/json' }] : []),
        ...parameters.filter(({ in: place }) => place === 'header').map(fieldOf),
      ],
      url: urlOf(path, parameters),
      ...(body && { body }),
    },
    response: [],
  }
}

/** Optional fields are listed but switched off. */
const fieldOf = ({ name, required, description }: Parameter): Shape => ({
  key: name,
  value: name === KEY ? RANDOM : '',
  ...(description && { description }),
  ...(!required && name !== KEY && { disabled: true }),
})

function urlOf(path: string, parameters: readonly Parameter[]): Shape {
  const place = path.replaceAll(/\{(\w+)\}/g, ':$1')
  const query = parameters.filter((one) => one.in === 'query').map(fieldOf)
  const variable = namesIn(path).map((key) => ({ key, value: `{{${key}}}` }))
  return {
    raw: `{{baseUrl}}${place}`,
    host: ['{{baseUrl}}'],
    path: place.slice(1).split('/'),
    ...(query.length > 0 && { query }),
    ...(variable.length > 0 && { variable }),
  }
}

/** An empty list means that the operation needs no credentials. */
function authOf({ components }: Description, security: readonly Shape[]): Shape {
  const [name] = Object.keys(security[0] ?? {})
  if (name === undefined) return { type: 'noauth' }
  if (components.securitySchemes[name]?.scheme !== 'basic')
    return { type: 'bearer', bearer: [{ key: 'token', value: '{{accessToken}}', type: 'string' }] }
  return {
    type: 'basic',
    basic: [
      { key: 'username', value: '{{clientId}}', type: 'string' },
      { key: 'password', value: '{{clientSecret}}', type: 'string' },
    ],
  }
}

/** A body without an example has only optional fields, so an empty one is valid. */
function jsonOf({ example, examples = {} }: Content): Shape {
  const shown = example ?? Object.values(examples)[0]?.value ?? {}
  return {
    mode: 'raw',
    raw: JSON.stringify(shown, undefined, 2),
    options: { raw: { language: 'json' } },
  }
}

function formOf({ components }: Description, { schema, example = {} }: Content): Shape {
  const { $ref: reference } = schema
  const { properties = {}, required = [] } =
    reference === undefined ? schema : (components.schemas[reference.split('/').at(-1) ?? ''] ?? {})
  const formdata = Object.entries(properties).map(([key, field]) => ({
    key,
    ...(key === 'file'
      ? { type: 'file', src: null }
      : { type: 'text', value: String((example as Record<string, unknown>)[key] ?? '') }),
    ...(field['description'] !== undefined && { description: field['description'] }),
    ...(!required.includes(key) && { disabled: true }),
  }))
  return { mode: 'formdata', formdata }
}
