/** Why a backup cannot be made or restored, for the person who asked. */
export class BackupError extends Error {
  override name = 'BackupError'
}
