"""Tasks of the server end, whatever they wait for."""

import asyncio

from hexmarshal.service.tasks import end


def test_a_task_that_loses_a_cancellation_ends_all_the_same():
    lost = []

    async def looking():
        while True:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                if lost:
                    raise
                lost.append(True)

    async def run():
        task = asyncio.create_task(looking())
        await asyncio.sleep(0)
        async with asyncio.timeout(30):
            await end(task)
        return task.cancelled()

    assert asyncio.run(run())
    assert lost


def test_what_has_ended_or_never_began_is_not_waited_for():
    async def run():
        task = asyncio.create_task(asyncio.sleep(0))
        await task
        await end(task)
        await end(None)
        return task.cancelled()

    assert asyncio.run(run()) is False
