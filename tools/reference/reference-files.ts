import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe } from '../../server/src/app/description.ts'
import { operations } from '../../server/src/app/operations.ts'
import { renderSettingsTable } from '../../server/src/infra/settings.ts'
import { errorsPage } from './errors-page.ts'
import { machinesPage } from './machines-page.ts'
import { operationsPage } from './operations-page.ts'
import { webhooksPage } from './webhooks-page.ts'

const START = '<!-- settings: generated -->'
const END = '<!-- /settings -->'

/** Path → text of every generated file, the database schema left out. */
export async function referenceFiles(root: string): Promise<[path: string, text: string][]> {
  const description = describe({ publicUrl: 'http://127.0.0.1:8080', headerBrand: 'Service' })
  return [
    ['docs/reference/openapi.json', JSON.stringify(description)],
    ['docs/reference/errors.md', errorsPage()],
    ['docs/reference/operations.md', operationsPage(operations)],
    ['docs/reference/state-machines.md', await machinesPage(root)],
    ['docs/reference/webhooks.md', webhooksPage()],
    ['README.md', withSettings(await readFile(join(root, 'README.md'), 'utf8'))],
  ]
}

/** The settings table stands in the README, between two markers. */
function withSettings(readme: string): string {
  const start = readme.indexOf(START)
  const end = readme.indexOf(END)
  if (start < 0 || end < start) throw new Error('README.md has no place for the settings table')
  return `${readme.slice(0, start)}${START}\n\n${renderSettingsTable().trim()}\n\n${readme.slice(end)}`
}
