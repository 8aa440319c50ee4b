import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { lintFromString, loadConfig } from '@redocly/openapi-core'
import { describe } from '../../src/app/description.ts'
import { describeOperatorApi } from '../../src/operator/http/description.ts'

// From a file: comparing an object with the linter's type of settings is a tenth of the check of all types.
const config = await loadConfig({ configPath: join(import.meta.dirname, 'description-lint.yaml') })

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
