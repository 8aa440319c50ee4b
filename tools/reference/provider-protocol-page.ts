import { namedSchemas } from '../../server/src/infra/http/schema/named-schemas.ts'
import { CASES, TEST_OUTCOMES } from '../../server/src/providers/conformance/cases.ts'
import { DECISIONS } from '../../server/src/providers/http/messages/decisions.ts'
import {
  FROM_PROVIDER,
  TO_PROVIDER,
  type ProtocolMessage,
} from '../../server/src/providers/http/messages/protocol-messages.ts'
import { REFUSAL_REASONS } from '../../server/src/providers/http/messages/reasons.ts'
import { GENERATED, markdownTable } from './markdown-table.ts'

type Schema = NonNullable<ProtocolMessage['body']>

const SCHEMA_FILE = 'provider-protocol.schema.json'

export function providerProtocolPage(): string {
  return `${GENERATED}

# Provider protocol

A provider is one HTTP service, in any language, that answers for one port or several. It implements the calls of its
ports, and sends its own calls to the service. What the calls mean is in
[chapter 44](../specification/44-providers.md); the shape of every message is in
[${SCHEMA_FILE}](${SCHEMA_FILE}). Two providers to start from are in
[examples/providers](../../examples/providers/README.md).

Every call, either way, is signed as Standard Webhooks say: \`webhook-id\`, \`webhook-timestamp\` and
\`webhook-signature\`, with the secret that \`florin providers add\` prints. An order's \`webhook-id\` is its id, at every
attempt.

## Calls of the service

${messageTable(TO_PROVIDER)}

## Calls of the provider

Under \`/providers/{providerId}\` of the service. Anything but a 2xx asks for the same body again.

${messageTable(FROM_PROVIDER)}

## Decisions

What \`DECIDED\` holds, in an answer or a report, by the type of the order.

${markdownTable(
  ['order', 'schema'],
  Object.entries(DECISIONS).map(([type, schema]) => [`\`${type}\``, linkTo(schema)]),
)}

## Reasons

Of \`REFUSED\` and \`FAILED\`: ${REFUSAL_REASONS.map((reason) => `\`${reason}\``).join(', ')}. Any other counts as
\`OTHER\`.

## Conformance

\`florin providers test <url> --secret S\` plays these cases against a running provider, with orders that have
\`test: true\` and a \`testOutcome\`. \`--ports\` names the ports that must be there, \`--case\` picks single cases. A case
on ports other than \`rails\` sends their own order, and \`DECIDED\` takes the place of \`SETTLED\`.

${markdownTable(
  ['case', 'title', 'ports', 'sent', 'what a right provider does'],
  CASES.map(({ id, title, ports, sent, expected }) => [
    id,
    title,
    ports.join(', '),
    sent,
    expected,
  ]),
)}

| \`testOutcome\` | what the provider plays |
| - | - |
${TEST_OUTCOMES.map(([outcome, played]) => `| \`${outcome}\` | ${played} |`).join('\n')}

To an outcome that it does not play a provider answers \`REFUSED\` with \`TEST_NOT_SUPPORTED\`.
`
}

const messageTable = (messages: readonly ProtocolMessage[]): string =>
  markdownTable(
    ['call', 'ports', 'body', 'answer'],
    messages.map(({ method, path, ports, body, answers }) => [
      `\`${method} ${path}\``,
      ports,
      body ? linkTo(body) : '',
      Object.entries(answers)
        .map(([status, schema]) => `${status} ${linkTo(schema)}`)
        .join(', '),
    ]),
  )

const nameOf = (schema: Schema): string => String((schema as { 'x-name'?: unknown })['x-name'])

const linkTo = (schema: Schema): string => `\`${nameOf(schema)}\``

/** One document: each message and part is a definition under its name. */
export function providerProtocolSchema(): string {
  const schemas = namedSchemas()
  const messages = [...TO_PROVIDER, ...FROM_PROVIDER].flatMap(({ body, answers }) => [
    ...(body ? [body] : []),
    ...Object.values(answers),
  ])
  for (const schema of [...messages, ...Object.values(DECISIONS)]) schemas.reference(schema)
  const document = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Florin provider protocol, version 1',
    $defs: schemas.all(),
  }
  // Words of OpenAPI and of our own validator, which JSON Schema does not know.
  const text = JSON.stringify(document, (key, value: unknown) =>
    key === 'discriminator' || key.startsWith('x-') ? undefined : value,
  )
  return text.replaceAll('#/components/schemas/', '#/$defs/')
}
