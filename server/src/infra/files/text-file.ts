import { readFile } from 'node:fs/promises'
import { FileError } from './new-file.ts'

/** For `catch`: says which file a person has named that cannot be read, and why. */
export const cannotRead =
  (path: string) =>
  ({ message }: Error): never => {
    throw new FileError(`${path} cannot be read (${message}).`)
  }

/** The text of a file that a person has named. Fails: FileError. */
export const readTextFile = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch(cannotRead(path))
