import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newUuid } from '../../../src/kernel/ids.ts'
import type { DocumentFile } from '../../kit/onboarding/document-files.ts'
import { ROOT } from '../../kit/pages/doc-examples.ts'

/** Of this process alone: other files of samples run beside it, and one that is being written is not whole. */
export const SAMPLE_FOLDER = join(ROOT, '.cache', 'samples', newUuid())

/** Stored where the samples read it from; its name is the whole path. */
export async function sampleFile(name: string, { bytes, type }: DocumentFile): Promise<File> {
  await mkdir(SAMPLE_FOLDER, { recursive: true })
  const path = join(SAMPLE_FOLDER, name)
  await writeFile(path, bytes)
  return new File([], path, { type })
}
