/** A call by `@florin/sdk`: what stands in the address comes first, then the query, the body, and options. */
import { literal, TYPESCRIPT } from './literal.js'
import { VARIABLES } from './call.js'

const VERSION_AT_END = /\/\d{4}-\d{2}-\d{2}\/?$/

/**
 * @param {import('./call.js').Call} call
 * @returns {string | undefined} nothing where the SDK has no such method
 */
export function typescriptSample(call) {
  const { sdkMethod, access } = call.operation
  if (!sdkMethod) return undefined
  const isAgent = access === 'agent'
  const client = isAgent ? 'agent' : 'florin'
  const method = isAgent ? sdkMethod : `${client}.${sdkMethod}`
  return [
    ...imports(call, isAgent ? 'createAgent' : 'createFlorin'),
    '',
    ...clientLines(call, client),
    ...(call.signature.length > 0 ? [deviceLine()] : []),
    '',
    ...callLines(call, callText(method, argumentsOf(call))),
  ].join('\n')
}

/**
 * @param {import('./call.js').Call} call
 * @param {string} factory
 */
function imports({ signature, parts }, factory) {
  return [
    ...(filesIn(parts).length > 0 ? [`import { readFile } from 'node:fs/promises'`] : []),
    `import { ${factory} } from '@florin/sdk'`,
    ...(signature.length > 0
      ? [`import { deviceKeyOf, stampWith } from '@florin/sdk/wallet'`]
      : []),
  ]
}

/**
 * @param {import('./call.js').Call} call
 * @param {string} client
 */
function clientLines({ serverUrl }, client) {
  const { clientId, clientSecret, agentToken } = VARIABLES
  const credentials =
    client === 'agent'
      ? [`  accessToken: process.env.${agentToken}!,`]
      : [`  clientId: process.env.${clientId}!,`, `  clientSecret: process.env.${clientSecret}!,`]
  const factory = client === 'agent' ? 'createAgent' : 'createFlorin'
  const baseUrl = TYPESCRIPT.string(serverUrl.replace(VERSION_AT_END, ''))
  return [`const ${client} = ${factory}({`, `  baseUrl: ${baseUrl},`, ...credentials, '})']
}

/** The private key of the owner's device, which never leaves it; here in a variable. */
const deviceLine = () =>
  `const deviceKey = await deviceKeyOf(Buffer.from(process.env.${VARIABLES.deviceKey}!, 'hex'))`

/** @param {import('./call.js').Call} call */
function argumentsOf(call) {
  const { operation, path, query, body, parts, signature, idempotencyKey } = call
  if (operation.isStream) return [literal(TYPESCRIPT, { ...query })]
  const options = [
    ...(signature.length > 0 ? ['sign: stampWith(deviceKey)'] : []),
    ...(idempotencyKey ? [`idempotencyKey: ${TYPESCRIPT.string(idempotencyKey)}`] : []),
  ]
  const takesQuery = operation.parameters.some((one) => one.in === 'query')
  const given = [
    ...path.map(TYPESCRIPT.string),
    ...(takesQuery
      ? [Object.keys(query).length > 0 ? literal(TYPESCRIPT, typed(call)) : '{}']
      : []),
    ...(operation.body ? [parts.length > 0 ? formText(parts) : bodyText(body)] : []),
    ...(options.length > 0 ? [`{ ${options.join(', ')} }`] : []),
  ]
  while (['{}', 'undefined'].includes(given.at(-1) ?? '')) given.pop()
  return given
}

const LINE_LETTERS_MAX = 72

/**
 * Several arguments stand on lines of their own unless they are short.
 * @param {string} method
 * @param {string[]} given
 */
function callText(method, given) {
  const line = `${method}(${given.join(', ')})`
  const isShort = line.length <= LINE_LETTERS_MAX && !line.includes('\n')
  if (given.length < 2 || isShort) return line
  const lines = given.map((one) => `  ${one.replaceAll('\n', '\n  ')},\n`)
  return `${method}(\n${lines.join('')})`
}

/** @param {any} body */
const bodyText = (body) => (body === undefined ? 'undefined' : literal(TYPESCRIPT, body))

/**
 * The query in the types of the SDK.
 * @param {import('./call.js').Call} call
 */
function typed({ operation, query }) {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const type = operation.parameters.find((one) => one.name === name)?.schema?.type
      const isPlain = type === 'integer' || type === 'number' || type === 'boolean'
      return [name, isPlain ? JSON.parse(String(value)) : value]
    }),
  )
}

/** @param {[string, string | File][]} parts */
const filesIn = (parts) => parts.filter(([, value]) => value instanceof File)

/** @param {[string, string | File][]} parts */
function formText(parts) {
  const lines = parts.map(([name, value]) => {
    if (!(value instanceof File)) return `  ${name}: ${TYPESCRIPT.string(value)},`
    const [path, type] = [value.name, value.type].map(TYPESCRIPT.string)
    return `  ${name}: new File([await readFile(${path})], ${path}, { type: ${type} }),`
  })
  return `{\n${lines.join('\n')}\n}`
}

/**
 * @param {import('./call.js').Call} call
 * @param {string} expression
 */
function callLines({ operation }, expression) {
  if (operation.isStream) {
    return [
      `for await (const { sequence, event } of ${expression}) {`,
      '  console.log(sequence, event.type)',
      '}',
    ]
  }
  if (operation.isList) {
    return [`for await (const item of ${expression}) {`, '  console.log(item)', '}']
  }
  if (!operation.hasAnswer) return [`await ${expression}`]
  return [`const answer = await ${expression}`, 'console.log(answer)']
}
