import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { findUnfit } from '../../../tools/reference/examples/find-unfit.ts'
import { createModel, LANGUAGES, languagesOf } from './page-samples.ts'
import { describe } from '../../src/app/description.ts'
import { operations } from '../../src/app/operations.ts'
import {
  readRecorded,
  RECORDED_FILE,
} from '../../src/infra/http/schema/examples/recorded-examples.ts'
import { bodyValidator } from '../../src/infra/http/schema/validate.ts'
import { REDACTED } from '../../src/infra/logging/redact.ts'

type Content = Readonly<{
  example?: unknown
  examples?: Readonly<Record<string, { $ref: string }>>
}>
type Described = Readonly<{
  paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            operationId: string
            responses: Readonly<Record<string, { content?: Readonly<Record<string, Content>> }>>
          }
        >
      >
    >
  >
  components: Readonly<{ examples: Readonly<Record<string, { value: unknown }>> }>
}>

const recorded = readRecorded()
const { paths, components } = describe({
  publicUrl: 'https://florin.example',
  wireBrand: 'Service',
}) as unknown as Described

const BYTES_MAX = 400_000

test('OPER-180 every answer that is documented has an example', () => {
  const bare = Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([status, { content = {} }]) =>
        Object.values(content)
          .filter(({ example, examples = {} }) => {
            const referred = Object.values(examples).map(({ $ref }) => $ref.split('/').at(-1) ?? '')
            const isRefused = referred.some((name) => components.examples[name] !== undefined)
            return example === undefined && !isRefused
          })
          .map(() => `${operationId} ${status}`),
      ),
    ),
  )
  assert.deepEqual(bare, [], 'npm run record -- <tests that call it>')
})

test('OPER-181 every example satisfies the schema of its answer as it is now', () => {
  assert.deepEqual(findUnfit(recorded), [], 'npm run record -- <tests that call it>')
})

test('OPER-181 so does the body of every request, but for what is redacted in it', () => {
  const unfit = operations.flatMap(({ id, body, form }) => {
    const sent = recorded.requests[id]?.body
    if (!body || form || sent === undefined || JSON.stringify(sent).includes(REDACTED)) return []
    const findings = bodyValidator(body)(structuredClone(sent))
    return findings.length === 0 ? [] : [`${id}: ${JSON.stringify(findings)}`]
  })
  assert.deepEqual(unfit, [])
})

test('OPER-180 no example names the machine that recorded it, or shows a secret', () => {
  const text = readFileSync(RECORDED_FILE, 'utf8')
  assert.ok(text.length < BYTES_MAX, `${text.length} bytes`)
  assert.deepEqual(
    text.match(/127\.0\.0\.1|localhost|agt_\w+|Bearer \w{20}|PRIVATE KEY|\.cache\//g),
    null,
  )
  const secrets =
    text.match(/"(?:\w*[sS]ecret|accessToken|payloadToSign|signature)":"[^"]*"/g) ?? []
  assert.ok(secrets.length > 0, 'it does look')
  for (const secret of secrets) assert.ok(secret.endsWith(`:"${REDACTED}"`), secret)
})

test('OPER-183 every operation is shown in the three languages that are run', () => {
  const { operations: shown } = createModel(
    describe({ publicUrl: 'https://a.example', wireBrand: 'Service' }),
  )
  assert.equal(shown.length, operations.length)
  for (const operation of shown) assert.deepEqual(languagesOf(operation), [...LANGUAGES])
})
