import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe } from '../../src/app/description.ts'
import { describeOperatorApi } from '../../src/operator/http/description.ts'

const config = await createConfig({
  extends: ['recommended'],
  rules: {
    // A literal segment goes before a parameter: `external-accounts` is no id of a customer.
    'no-ambiguous-paths': 'off',
    // Unknown fields are ignored (CORE-8), so a body may have those of the variant that its tag names.
    'no-invalid-media-type-examples': { severity: 'warn', allowAdditionalProperties: true },
  },
})

async function findings(description: unknown): Promise<string[]> {
  const source = JSON.stringify(description)
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
  return problems.map(({ ruleId, message, location }) =>
    [ruleId, message, location[0]?.pointer].join(' '),
  )
}

test('CORE-86 the description passes a public linter without warnings', async () => {
  const description = describe({ publicUrl: 'https://florin.example', wireBrand: 'Service' })
  assert.deepEqual(await findings(description), [])
  assert.notDeepEqual(await findings({ openapi: '3.1.0', paths: {} }), [], 'it does look')
})

test('OPER-61 so does the description for operators', async () => {
  assert.deepEqual(await findings(describeOperatorApi('https://admin.florin.example')), [])
})
