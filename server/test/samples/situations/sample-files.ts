import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DocumentFile } from '../../kit/onboarding/document-files.ts'
import { ROOT } from '../../kit/pages/doc-examples.ts'

const FOLDER = join(ROOT, '.cache', 'samples')

/** Stored where the samples read it from; its name is the whole path. */
export async function sampleFile(name: string, { bytes, type }: DocumentFile): Promise<File> {
  await mkdir(FOLDER, { recursive: true })
  const path = join(FOLDER, name)
  await writeFile(path, bytes)
  return new File([], path, { type })
}
