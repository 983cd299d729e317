"""Meta-World: all tasks of its third version, the first goal of each."""


def tasks():
    import metaworld

    for name in sorted(metaworld.ALL_V3_ENVIRONMENTS):
        yield name, lambda name=name: start(metaworld, name)


def start(metaworld, name):
    import environments

    benchmark = metaworld.MT1(name, seed=0)
    env = benchmark.train_classes[name]()
    env.set_task(benchmark.train_tasks[0])
    return environments.follow(lambda: env)
