import { Type } from '../../../infra/http/schema/type.ts'
import { timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { fail } from '../../../kernel/errors.ts'
import { findTerms, insertTerms, listTermsVersions } from '../../../features/customers/index.ts'
import { defineCommand, fileIn, onlyArg, record, UsageError, type Input } from '../../command.ts'
import { inHouse } from '../../in-platform.ts'
import { limitOf } from '../../queries/list-filters.ts'

const version = { version: Type.String(), publishedAt: timestamp() }

const VERSION = /^[A-Za-z0-9._-]{1,64}$/

async function bodyOf(input: Input): Promise<string> {
  const [file, text] = [input.option('file'), input.option('text')]
  if ((file === undefined) === (text === undefined)) throw new UsageError('Give --file or --text.')
  const name = file === undefined ? '--text' : '--file'
  const body = (text ?? (await fileIn(input, 'file'))).replaceAll('\r\n', '\n').trim()
  if (body === '' || body.includes('\u0000')) throw new UsageError(`${name} holds no text.`)
  return body
}

/** A version is published once and never changes; the latest is current (CUST-30). */
const publish = defineCommand({
  name: 'terms publish',
  access: { roles: ['ADMIN'], fourEyes: 'always', scope: 'installation', writes: true },
  about:
    'Publish a version of the end-user terms. The text is paragraphs between empty lines; `## ` begins a heading, {{LEGAL_NAME}} stands for LEGAL_NAME.',
  options: {
    version: { about: 'Its name, as in V2; never used before.', value: 'NAME', required: true },
    file: { about: 'Text file in UTF-8.', value: 'PATH', isPath: true },
    text: { about: 'The text itself, instead of a file.', value: 'TEXT' },
  },
  answers: record(version),
  async run(deps, input) {
    const version = input.option('version') ?? ''
    if (!VERSION.test(version)) {
      throw new UsageError('--version is 1 to 64 letters, digits, dots, hyphens, underscores.')
    }
    const body = await bodyOf(input)
    return inHouse(deps, { action: 'terms publish', resource: version }, async ({ tx, now }) => {
      const isNew = await insertTerms(tx, { version, body, publishedAt: now })
      if (!isNew) fail('CONFLICT', { reason: 'VERSION_EXISTS' })
      return { version, publishedAt: toWireTime(now) }
    })
  },
})

const list = defineCommand({
  name: 'terms list',
  access: { roles: ['VIEWER'], scope: 'installation' },
  about: 'Published versions of the end-user terms, the current one first.',
  options: { limit: { about: 'At most this many (default 50).', value: 'N' } },
  answers: Type.Array(record({ ...version, isCurrent: Type.Boolean() })),
  async run({ db }, input) {
    const versions = await listTermsVersions(db.read, limitOf(input))
    return versions.map(({ version, publishedAt }, index) => ({
      version,
      publishedAt: toWireTime(publishedAt),
      isCurrent: index === 0,
    }))
  },
})

const show = defineCommand({
  name: 'terms show',
  access: { roles: ['VIEWER'], scope: 'installation' },
  about: 'A published version of the end-user terms with its text.',
  takes: ['version'],
  answers: record({ ...version, body: Type.String() }),
  async run({ db }, input) {
    const asked = onlyArg(input, 'version')
    const terms = VERSION.test(asked) ? await findTerms(db.read, asked) : undefined
    const { version, body, publishedAt } = terms ?? fail('REFERENCE_NOT_FOUND')
    return { version, publishedAt: toWireTime(publishedAt), body }
  },
})

export const termsCommands = { list, show, publish }
