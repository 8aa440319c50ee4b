import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../../../kernel/errors.ts'
import type { Deps } from '../../deps.ts'
import { dropFile } from '../../files/stored-files.ts'
import { readForm, type Form, type FormLimits } from './read-form.ts'

/** Makes the routes of a scope accept forms only, whose bodies are not read yet (CORE-2). */
export function acceptForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('multipart/form-data', (_request, body, done) => done(null, body))
  scope.addContentTypeParser('*', (_request, _body, done) =>
    done(new ApiError('UNSUPPORTED_MEDIA_TYPE')),
  )
}

const NOTHING_SENT: Form = { parts: {}, errors: [], fingerprint: Buffer.alloc(0), uploads: [] }

/**
 * Reads the form of a request to such a scope and hands it to `use`; files that `use` does not keep are deleted.
 * Fails: PAYLOAD_TOO_LARGE, INVALID_REQUEST_FORMAT.
 */
export async function withForm<T>(
  deps: Pick<Deps, 'files' | 'db' | 'log'>,
  { request, ...limits }: FormLimits & Readonly<{ request: FastifyRequest }>,
  use: (form: Form) => Promise<T>,
): Promise<T> {
  const body = request.body as Readable | undefined
  const form = body
    ? await readForm({ body, headers: request.headers }, deps.files, limits)
    : NOTHING_SENT
  try {
    return await use(form)
  } finally {
    await dropUnkept(deps, form)
  }
}

/** Where the outcome of the commit is unknown, dropFile asks the database; the sweeper deletes what remains. */
async function dropUnkept(
  deps: Pick<Deps, 'files' | 'db' | 'log'>,
  { uploads }: Form,
): Promise<void> {
  for (const { id, isKept } of uploads) {
    if (isKept()) continue
    await dropFile(deps, id).catch((error: unknown) => {
      deps.log.warn({ err: error, fileId: id }, 'an upload is left to the sweeper')
    })
  }
}
