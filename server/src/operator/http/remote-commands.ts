import type { Command } from '../command.ts'
import { commands } from '../commands.ts'

export const ROOT = '/operator/v1'

export const remoteCommands: readonly Command[] = commands.filter(({ access }) => !access.isLocal)

/** `settlements confirm` is `/operator/v1/settlements/confirm` (OPER-60). */
export const pathOf = ({ name }: Pick<Command, 'name'>): string =>
  `${ROOT}/${name.replaceAll(' ', '/')}`

/** What the command line writes into a file is the answer over HTTP (OPER-65). */
export const answersFile = ({ options = {} }: Command): boolean => options['to']?.isPath === true
