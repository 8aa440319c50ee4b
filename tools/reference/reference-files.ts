import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe } from '../../server/src/app/description.ts'
import { operations } from '../../server/src/app/operations.ts'
import { renderSettingsTable } from '../../server/src/infra/settings.ts'
import type { InterfaceDescription } from '../sdk/interface-description.ts'
import { sdkFiles } from '../sdk/sdk-files.ts'
import { errorsPage } from './errors-page.ts'
import { machinesPage } from './machines-page.ts'
import { operationsMap, operationsPage } from './operations-page.ts'
import { webhooksPage } from './webhooks-page.ts'

/** Path → text of every generated file, the database schema left out. */
export async function referenceFiles(root: string): Promise<[path: string, text: string][]> {
  const description = describe({ publicUrl: 'http://127.0.0.1:8080', wireBrand: 'Service' })
  return [
    ['docs/reference/openapi.json', JSON.stringify(description)],
    ['docs/reference/errors.md', errorsPage()],
    ['docs/reference/operations.md', operationsPage(operations)],
    ['docs/reference/state-machines.md', await machinesPage(root)],
    ['docs/reference/webhooks.md', webhooksPage()],
    ['README.md', withTables(await readFile(join(root, 'README.md'), 'utf8'))],
    ...sdkFiles(description as InterfaceDescription),
  ]
}

/** Tables that are derived stand in the README, each between two markers. */
function withTables(readme: string): string {
  const tables = { operations: operationsMap(operations), settings: renderSettingsTable() }
  return Object.entries(tables).reduce(withTable, readme)
}

function withTable(readme: string, [name, table]: [name: string, table: string]): string {
  const marker = `<!-- ${name}: generated -->`
  const start = readme.indexOf(marker)
  const end = readme.indexOf(`<!-- /${name} -->`)
  if (start < 0 || end < start) throw new Error(`README.md has no place for the table of ${name}`)
  return `${readme.slice(0, start)}${marker}\n\n${table.trim()}\n\n${readme.slice(end)}`
}
