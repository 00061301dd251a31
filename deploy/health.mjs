// The health check of the container image: ends with 0 where the service of this container is ready, otherwise with 1.
// What it prints is kept by the container engine.
const port = process.env.PORT || '3332'
try {
  const response = await fetch(`http://127.0.0.1:${port}/health/ready`, {
    // a little longer than the service waits for its own checks
    signal: AbortSignal.timeout(6000),
  })
  console.log(await response.text())
  process.exit(response.ok ? 0 : 1)
} catch (error) {
  console.log(error.cause?.message ?? error.message)
  process.exit(1)
}
