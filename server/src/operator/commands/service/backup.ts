import { resolve } from 'node:path'
import { makeBackup } from '../../backup/make-backup.ts'
import { restoreBackup } from '../../backup/restore-backup.ts'
import { replayErasures } from '../../retention/erase-customer.ts'
import { readErasures, recordErasures } from '../../retention/erasures-file.ts'
import { UsageError, type Input, type LocalCommand } from '../../command.ts'

function keepOf(input: Input): number | undefined {
  const text = input.option('keep')
  if (text !== undefined && !/^[1-9]\d{0,3}$/.test(text))
    throw new UsageError('--keep is a whole number from 1 to 9999.')
  return text === undefined ? undefined : parseInt(text, 10)
}

const backup: LocalCommand = {
  name: 'backup',
  access: { roles: ['ADMIN'], scope: 'installation', writes: true, isLocal: true },
  about: 'One encrypted file with database and uploaded files. The service may run beside it.',
  options: {
    to: { about: 'The file, which must not exist.', value: 'FILE', required: true },
    keep: { about: 'How many backups to keep in its folder; older ones are removed.', value: 'N' },
  },
  runLocally: (settings, input) =>
    makeBackup(settings, { to: input.option('to') ?? '', keep: keepOf(input) }),
}

const restore: LocalCommand = {
  name: 'restore',
  access: { roles: ['ADMIN'], scope: 'installation', writes: true, isLocal: true },
  about: 'Bring a backup into an empty data folder and prove that it is whole.',
  options: {
    from: { about: 'The backup.', value: 'FILE', required: true },
    'data-dir': { about: 'The folder, empty or new.', value: 'DIR', required: true },
    erasures: {
      about: 'An erasures.jsonl from after the backup: what it names is erased again.',
      value: 'FILE',
    },
  },
  async runLocally(settings, input, withDeps) {
    const erasures = input.option('erasures')
    if (erasures !== undefined) await readErasures(erasures)
    const dataDir = resolve(input.option('data-dir') ?? '')
    const restored = await restoreBackup(settings, { from: input.option('from') ?? '', dataDir })
    if (!restored.ok || erasures === undefined) return restored
    const replayed = await withDeps({ ...settings, dataDir }, async (deps) => {
      const done = await replayErasures(deps, erasures)
      await recordErasures(deps)
      return done
    })
    return { ...restored, ok: replayed.ok, erasures: replayed }
  },
}

export const backupCommands = { backup, restore }
