/**
 * Imported by what npm runs: npm, killed, does not take it along. Somebody who started us directly may want to leave
 * before us.
 */
const PARENT_POLL_MS = 500

if (process.env.npm_lifecycle_event !== undefined) {
  const parent = process.ppid
  const endWhenAlone = () => process.ppid !== parent && process.kill(process.pid, 'SIGTERM')
  setInterval(endWhenAlone, PARENT_POLL_MS).unref()
}
