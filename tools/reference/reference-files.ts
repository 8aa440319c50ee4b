import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe } from '../../server/src/app/description.ts'
import { operations } from '../../server/src/app/operations.ts'
import { collectionOf } from '../../server/src/infra/http/schema/collection.ts'
import { renderSettingsTable } from '../../server/src/infra/settings/settings.ts'
import type { InterfaceDescription } from '../sdk/interface-description.ts'
import { sdkFiles } from '../sdk/sdk-files.ts'
import { chaptersIn } from '../specification/specification.ts'
import { readTexts } from '../tidy/project/project.ts'
import { commandTable } from './command-table.ts'
import { errorsPage } from './errors-page.ts'
import { machinesPage } from './machines-page.ts'
import { operationsMap, operationsPage } from './operations-page.ts'
import { providerProtocolPage, providerProtocolSchema } from './provider-protocol-page.ts'
import { specificationTable } from './specification-table.ts'
import { webhooksPage } from './webhooks-page.ts'

/** Path → text of every generated file, the database schema left out. */
export async function referenceFiles(root: string): Promise<[path: string, text: string][]> {
  const description = describe({ publicUrl: 'http://127.0.0.1:8080', wireBrand: 'Service' })
  return [
    ['docs/reference/openapi.json', JSON.stringify(description)],
    ['docs/reference/collection.json', JSON.stringify(collectionOf(description))],
    ['docs/reference/errors.md', errorsPage()],
    ['docs/reference/operations.md', operationsPage(operations)],
    ['docs/reference/state-machines.md', await machinesPage(root)],
    ['docs/reference/webhooks.md', webhooksPage()],
    ['docs/reference/provider-protocol.md', providerProtocolPage()],
    ['docs/reference/provider-protocol.schema.json', providerProtocolSchema()],
    await withTables(root, 'README.md', {
      operations: operationsMap(operations),
      settings: renderSettingsTable(),
    }),
    await withTables(root, 'docs/specification/README.md', {
      chapters: specificationTable(chaptersIn(readTexts(root))),
    }),
    ['server/src/operator/command-line/generated/command-table.ts', await commandTable(root)],
    ...sdkFiles(description as InterfaceDescription),
  ]
}

/** A page with the tables that are derived in it, each between two markers. */
async function withTables(
  root: string,
  path: string,
  tables: Readonly<Record<string, string>>,
): Promise<[path: string, text: string]> {
  let page = await readFile(join(root, path), 'utf8')
  for (const [name, table] of Object.entries(tables)) {
    const marker = `<!-- ${name}: generated -->`
    const start = page.indexOf(marker)
    const end = page.indexOf(`<!-- /${name} -->`)
    if (start < 0 || end < start) throw new Error(`${path} has no place for the table of ${name}`)
    page = `${page.slice(0, start)}${marker}\n\n${table.trim()}\n\n${page.slice(end)}`
  }
  return [path, page]
}
