import { routesOf, type InterfaceDescription, type Schema } from './interface-description.ts'
import {
  docComment,
  objectText,
  quoted,
  schemaNameOf,
  typeNameOf,
  typeText,
  UPLOAD,
} from './type-text.ts'

/** Read-only fields are left out of the types of requests. */
function offered(schema: Schema): Schema {
  const properties = Object.entries(schema.properties ?? {}).filter(([, one]) => !one.readOnly)
  return { ...schema, properties: Object.fromEntries(properties) }
}

/** Bodies of requests and everything that they alone are made of share one property: nobody reads them. */
function requestNames(description: InterfaceDescription): ReadonlySet<string> {
  const names = new Set<string>()
  const visit = (schema: Schema): void => {
    const name = schemaNameOf(schema)
    if (name === undefined || names.has(name)) return
    names.add(name)
    for (const member of description.components.schemas[name]?.oneOf ?? []) visit(member)
  }
  for (const { operation } of routesOf(description)) {
    for (const { schema } of Object.values(operation.requestBody?.content ?? {})) visit(schema)
  }
  return names
}

function declaration(name: string, schema: Schema, isRequest: boolean): string {
  const doc = docComment([schema.description], schema)
  const typeName = typeNameOf(name)
  const isPlain = schema.type === 'object' && schema.oneOf === undefined
  if (!isPlain) return `${doc}export type ${typeName} = ${typeText(schema)}\n`
  const text = objectText(isRequest ? offered(schema) : schema)
  return text.startsWith('{')
    ? `${doc}export interface ${typeName} ${text}\n`
    : `${doc}export type ${typeName} = ${text}\n`
}

/** Every named schema as a type. */
export function schemasFile(description: InterfaceDescription): string {
  const requests = requestNames(description)
  const types = Object.entries(description.components.schemas).map(([name, schema]) =>
    declaration(name, schema, requests.has(name)),
  )
  const upload = `/** The content of a file that is uploaded; a \`File\` brings its name along. */
export type ${UPLOAD} = Blob | Uint8Array<ArrayBuffer> | ArrayBuffer | string
`
  return [upload, ...types].join('\n')
}

/** The events of the webhooks as one union, told apart by `type`. */
export function webhookEventsFile(description: InterfaceDescription): string {
  const members = Object.entries(description.webhooks).map(([type, { post }]) => {
    const data = post.requestBody.content['application/json']?.schema.properties?.['data'] ?? {}
    return `${docComment([post.summary])}${quoted(type)}: ${typeText(data)}`
  })
  const names = Object.keys(description.components.schemas).map(typeNameOf).toSorted()
  const text = members.join('\n')
  const imported = names.filter((name) => new RegExp(`: .*\\b${name}\\b`).test(text))
  return `import type { ${imported.join(', ')} } from './schemas.ts'

/** What an event of each type is about. */
export interface WebhookData {
${text}
}

export type WebhookType = keyof WebhookData

/** One event of type \`T\`. */
export interface WebhookEventOf<T extends WebhookType> {
  /** The same in every delivery of the event: keep it, and drop what you have seen. */
  id: string
  type: T
  /** When the change happened, on the platform’s clock. */
  timestamp: string
  /** The resource as GET would have answered right after the change. */
  data: WebhookData[T]
}

/** Any event; \`switch (event.type)\` tells what \`event.data\` is. */
export type WebhookEvent = { [T in WebhookType]: WebhookEventOf<T> }[WebhookType]
`
}

/** The codes that refusals carry, and whether the same request may be sent again. */
export function errorCodesFile(description: InterfaceDescription): string {
  const rows = description['x-florin-error-catalogue'].map(
    ({ code, retry, message }) => `${docComment([message])}${code}: ${quoted(retry)},`,
  )
  return `/** \`never\`: change the request first; \`same\`: repeat it as it is; \`later\`: after \`Retry-After\`. */
export const ERROR_CODES = {
${rows.join('\n')}
} as const

export type ErrorCode = keyof typeof ERROR_CODES

/** The version of the interface that this SDK speaks; part of every address. */
export const API_VERSION = ${quoted(description.info.version)}
`
}
