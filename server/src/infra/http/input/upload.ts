import { firstCharacters } from '../../../kernel/text/cut-text.ts'
import { keepFile } from '../../files/stored-files.ts'
import type { Work } from '../../work/work.ts'

/** A file of a form, stored encrypted on disk. Unless it is kept, it is deleted when the request ends. */
export type Upload = Readonly<{
  id: string
  /** For display: the base name, without control characters, never empty. */
  fileName: string
  /** The type that the sender declared; undefined for a generic one. */
  declaredType: string | undefined
  bytes: number
  /** SHA-256, hex. */
  digest: string
  /** The first bytes, by which a type is recognised. */
  head(): Buffer
  /** Keeps the file with the commit of this work. */
  keep(work: Work): Promise<void>
  isKept(): boolean
}>

const FILE_NAME_MAX = 255

export function newUpload({
  fileName,
  type,
  head,
  ...file
}: Pick<Upload, 'id' | 'bytes' | 'digest'> &
  Readonly<{ fileName: string | undefined; type: string; head: Buffer }>): Upload {
  let isKept = false
  return {
    ...file,
    fileName: shownName(fileName),
    declaredType: declaredType(type),
    head: () => head,
    async keep(work) {
      work.afterCommit(() => (isKept = true))
      const digest = Buffer.from(file.digest, 'hex')
      await keepFile(work, { id: file.id, bytes: file.bytes, digest })
    },
    isKept: () => isKept,
  }
}

/** Cleans the file name, from which the parser has removed folders already (DOC-8). */
function shownName(given = ''): string {
  const name = given
    .toWellFormed()
    .replace(/\p{Cc}/gu, '')
    .trim()
  return firstCharacters(name, FILE_NAME_MAX) || 'upload'
}

/** The parser reports text/plain also where the sender declared nothing. */
const declaredType = (type: string): string | undefined =>
  ['application/octet-stream', 'text/plain', ''].includes(type) ? undefined : type
