// Checks compose files with compose-go, the library of `docker compose`. No container engine is needed.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/compose-spec/compose-go/v2/cli"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: compose-check FILE...")
		os.Exit(2)
	}
	options, err := cli.NewProjectOptions(os.Args[1:], cli.WithOsEnv, cli.WithDotEnv, cli.WithProfiles([]string{"*"}))
	if err != nil {
		fail(err)
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		fail(err)
	}
	// After a reboot, or when it took too much memory, a service without a policy stays away.
	for name, service := range project.Services {
		if service.Restart == "" || service.Restart == "no" {
			fail(fmt.Errorf("service %s has no restart policy", name))
		}
	}
	if _, err := project.MarshalYAML(); err != nil {
		fail(err)
	}
	fmt.Printf("%d services are valid: %v\n", len(project.Services), project.ServiceNames())
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
