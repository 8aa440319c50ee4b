import './resolve-sources.ts'

const { runService } = await import('../app/service-process.ts')
await runService()
