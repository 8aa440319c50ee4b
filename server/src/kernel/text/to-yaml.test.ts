import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parse } from 'yaml'
import { toYaml } from './to-yaml.ts'

test('CORE-88 YAML reads like prose: quotes, and lines of their own, only where they are needed', () => {
  const value = {
    openapi: '3.1.0',
    paths: { '/customers/{customerId}': { get: { tags: ['Customers'], parameters: [] } } },
    responses: { 200: { description: 'First.\n\n- second: `x`' } },
    answers: ['yes', 'No, thank you', 'a: b', '', ' blank', '#/components/schemas/X', null, 0.5],
  }
  assert.equal(
    toYaml(value),
    `openapi: "3.1.0"
paths:
  /customers/{customerId}:
    get:
      tags:
        - Customers
      parameters: []
responses:
  "200":
    description: |-
      First.

      - second: \`x\`
answers:
  - "yes"
  - No, thank you
  - "a: b"
  - ""
  - " blank"
  - "#/components/schemas/X"
  - null
  - 0.5
`,
  )
})

test('CORE-88 what is read back is what was written, whatever it holds', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc
      .array(fc.string({ unit: fc.constantFrom('a', ' ', '\n', '-', ':', '#', "'", '"', '\t') }))
      .map((parts) => parts.join('')),
  )
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => (one === 0 ? 0 : one)),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(
        text.filter((key) => key !== '__proto__'),
        tie('value'),
        { maxKeys: 4, noNullPrototype: true },
      ),
    ),
  })).value
  fc.assert(
    fc.property(value, (one) => assert.deepEqual(parse(toYaml(one)), one)),
    { numRuns: 300, seed: 7 },
  )
})
