import { readFile } from 'node:fs/promises'
import { toWireTime } from '../../kernel/clock.ts'
import { fail } from '../../kernel/errors.ts'
import { insertTerms } from '../../features/customers/index.ts'
import { UsageError, type Command } from '../command.ts'
import { inHouse } from '../in-platform.ts'

const VERSION = /^[A-Za-z0-9._-]{1,64}$/

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new UsageError(`--file cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}

/** CUST-30: a version is published once and stays; the latest is the current one. */
const publish: Command = {
  name: 'terms publish',
  about:
    'Publish a version of the end-user terms. The text is paragraphs between empty lines; `## ` begins a heading, {{LEGAL_NAME}} stands for LEGAL_NAME.',
  options: {
    version: { about: 'Its name, as in V2; never used before.', value: 'NAME', required: true },
    file: { about: 'Text file in UTF-8.', value: 'PATH', required: true },
  },
  async run(deps, given) {
    const version = given.text('version') ?? ''
    if (!VERSION.test(version)) {
      throw new UsageError('--version is 1 to 64 letters, digits, dots, hyphens, underscores.')
    }
    const body = (await readText(given.text('file') ?? '')).trim()
    if (body === '' || body.includes('\u0000')) throw new UsageError('--file holds no text.')
    return inHouse(deps, { action: 'terms publish', resource: version }, async ({ tx, now }) => {
      const isNew = await insertTerms(tx, { version, body, publishedAt: now })
      if (!isNew) fail('CONFLICT', { reason: 'VERSION_EXISTS' })
      return { version, publishedAt: toWireTime(now) }
    })
  },
}

export const termsCommands: readonly Command[] = [publish]
