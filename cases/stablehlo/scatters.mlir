module @jit_scatters attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x5xf32>, %arg1: tensor<4xi32>, %arg2: tensor<4xi32>, %arg3: tensor<4x5xf32>) -> (tensor<4x5xf32> {jax.result_info = "result[0]"}, tensor<4x5xf32> {jax.result_info = "result[1]"}, tensor<4x5xf32> {jax.result_info = "result[2]"}, tensor<4x5xf32> {jax.result_info = "result[3]"}, tensor<4x5xf32> {jax.result_info = "result[4]"}, tensor<4x5xf32> {jax.result_info = "result[5]"}, tensor<4x5xf32> {jax.result_info = "result[6]"}, tensor<4x5xf32> {jax.result_info = "result[7]"}, tensor<4x5xf32> {jax.result_info = "result[8]"}, tensor<4x5xf32> {jax.result_info = "result[9]"}, tensor<4x5xf32> {jax.result_info = "result[10]"}, tensor<4x5xf32> {jax.result_info = "result[11]"}, tensor<3x5xf32> {jax.result_info = "result[12]"}, tensor<5xi32> {jax.result_info = "result[13]"}, tensor<4x5xi1> {jax.result_info = "result[14]"}, tensor<4x5xf32> {jax.result_info = "result[15]"}, tensor<4x5xf32> {jax.result_info = "result[16]"}) {
    %c = stablehlo.constant dense<[[0, 9], [2, 2]]> : tensor<2x2xi32>
    %c_0 = stablehlo.constant dense<[[3], [0]]> : tensor<2x1xi32>
    %c_1 = stablehlo.constant dense<[[1, 3], [0, 0], [-1, 0]]> : tensor<3x2xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_3 = stablehlo.constant dense<4> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<4xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<4xi1>, tensor<4xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %6 = "stablehlo.scatter"(%arg0, %5, %arg3) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      stablehlo.return %arg5 : tensor<f32>
    }) : (tensor<4x5xf32>, tensor<4x1xi32>, tensor<4x5xf32>) -> tensor<4x5xf32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %8 = stablehlo.compare LT, %arg1, %7, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_5 = stablehlo.constant dense<4> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %10 = stablehlo.add %arg1, %9 : tensor<4xi32>
    %11 = stablehlo.select %8, %10, %arg1 : tensor<4xi1>, tensor<4xi32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %13 = "stablehlo.scatter"(%arg0, %12, %arg3) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %139 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %139 : tensor<f32>
    }) : (tensor<4x5xf32>, tensor<4x1xi32>, tensor<4x5xf32>) -> tensor<4x5xf32>
    %c_6 = stablehlo.constant dense<1> : tensor<i32>
    %14 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %16 = "stablehlo.scatter"(%arg0, %14, %15) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      stablehlo.return %arg5 : tensor<f32>
    }) : (tensor<4x5xf32>, tensor<1xi32>, tensor<5xf32>) -> tensor<4x5xf32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %17 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %18 = stablehlo.compare LT, %arg1, %17, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_8 = stablehlo.constant dense<4> : tensor<i32>
    %19 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %20 = stablehlo.add %arg1, %19 : tensor<4xi32>
    %21 = stablehlo.select %18, %20, %arg1 : tensor<4xi1>, tensor<4xi32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %22 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %23 = stablehlo.compare LT, %arg2, %22, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_10 = stablehlo.constant dense<5> : tensor<i32>
    %24 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %25 = stablehlo.add %arg2, %24 : tensor<4xi32>
    %26 = stablehlo.select %23, %25, %arg2 : tensor<4xi1>, tensor<4xi32>
    %27 = stablehlo.broadcast_in_dim %21, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %28 = stablehlo.broadcast_in_dim %26, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %29 = stablehlo.concatenate %27, %28, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
    %cst_11 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %31 = "stablehlo.scatter"(%arg0, %29, %30) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %139 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %139 : tensor<f32>
    }) : (tensor<4x5xf32>, tensor<4x2xi32>, tensor<4xf32>) -> tensor<4x5xf32>
    %32 = stablehlo.transpose %arg3, dims = [1, 0] : (tensor<4x5xf32>) -> tensor<5x4xf32>
    %33 = stablehlo.slice %32 [0:4, 0:4] : (tensor<5x4xf32>) -> tensor<4x4xf32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %34 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %35 = stablehlo.compare LT, %arg1, %34, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_13 = stablehlo.constant dense<5> : tensor<i32>
    %36 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %37 = stablehlo.add %arg1, %36 : tensor<4xi32>
    %38 = stablehlo.select %35, %37, %arg1 : tensor<4xi1>, tensor<4xi32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %40 = "stablehlo.scatter"(%arg0, %39, %33) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %139 = stablehlo.multiply %arg4, %arg5 : tensor<f32>
      stablehlo.return %139 : tensor<f32>
    }) : (tensor<4x5xf32>, tensor<4x1xi32>, tensor<4x4xf32>) -> tensor<4x5xf32>
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %41 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %42 = stablehlo.compare LT, %arg1, %41, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_15 = stablehlo.constant dense<4> : tensor<i32>
    %43 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %44 = stablehlo.add %arg1, %43 : tensor<4xi32>
    %45 = stablehlo.select %42, %44, %arg1 : tensor<4xi1>, tensor<4xi32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %47 = "stablehlo.scatter"(%arg0, %46, %arg3) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %139 = stablehlo.minimum %arg4, %arg5 : tensor<f32>
      stablehlo.return %139 : tensor<f32>
    }) : (tensor<4x5xf32>, tensor<4x1xi32>, tensor<4x5xf32>) -> tensor<4x5xf32>
    %c_16 = stablehlo.constant dense<0> : tensor<i32>
    %48 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %49 = stablehlo.compare LT, %arg1, %48, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_17 = stablehlo.constant dense<4> : tensor<i32>
    %50 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %51 = stablehlo.add %arg1, %50 : tensor<4xi32>
    %52 = stablehlo.select %49, %51, %arg1 : tensor<4xi1>, tensor<4xi32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %c_18 = stablehlo.constant dense<3> : tensor<1xi32>
    %c_19 = stablehlo.constant dense<2147483647> : tensor<i32>
    %54 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %55 = stablehlo.minimum %c_18, %54 : tensor<1xi32>
    %56 = stablehlo.broadcast_in_dim %55, dims = [1] : (tensor<1xi32>) -> tensor<4x1xi32>
    %c_20 = stablehlo.constant dense<0> : tensor<i32>
    %57 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<i32>) -> tensor<4x1xi32>
    %58 = stablehlo.clamp %57, %53, %56 : tensor<4x1xi32>
    %59 = "stablehlo.scatter"(%arg0, %58, %arg3) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %139 = stablehlo.maximum %arg4, %arg5 : tensor<f32>
      stablehlo.return %139 : tensor<f32>
    }) : (tensor<4x5xf32>, tensor<4x1xi32>, tensor<4x5xf32>) -> tensor<4x5xf32>
    %60 = stablehlo.iota dim = 0 : tensor<3xi32>
    %c_21 = stablehlo.constant dense<2> : tensor<i32>
    %61 = stablehlo.broadcast_in_dim %c_21, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %62 = stablehlo.multiply %61, %60 : tensor<3xi32>
    %c_22 = stablehlo.constant dense<0> : tensor<i32>
    %63 = stablehlo.broadcast_in_dim %c_22, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %64 = stablehlo.add %63, %62 : tensor<3xi32>
    %c_23 = stablehlo.constant dense<1> : tensor<i32>
    %65 = stablehlo.broadcast_in_dim %c_23, dims = [] : (tensor<i32>) -> tensor<3x1xi32>
    %66 = stablehlo.broadcast_in_dim %64, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %67 = stablehlo.concatenate %65, %66, dim = 1 : (tensor<3x1xi32>, tensor<3x1xi32>) -> tensor<3x2xi32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %69 = "stablehlo.scatter"(%arg0, %67, %68) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      stablehlo.return %arg5 : tensor<f32>
    }) : (tensor<4x5xf32>, tensor<3x2xi32>, tensor<2x3xf32>) -> tensor<4x5xf32>
    %c_25 = stablehlo.constant dense<4> : tensor<i32>
    %70 = stablehlo.broadcast_in_dim %c_25, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %72 = "stablehlo.scatter"(%arg0, %70, %71) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %139 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %139 : tensor<f32>
    }) : (tensor<4x5xf32>, tensor<1xi32>, tensor<4xf32>) -> tensor<4x5xf32>
    %73 = stablehlo.slice %arg3 [0:4, 0:2] : (tensor<4x5xf32>) -> tensor<4x2xf32>
    %c_27 = stablehlo.constant dense<0> : tensor<i32>
    %74 = stablehlo.broadcast_in_dim %c_27, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %75 = stablehlo.compare LT, %arg1, %74, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_28 = stablehlo.constant dense<4> : tensor<i32>
    %76 = stablehlo.broadcast_in_dim %c_28, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %77 = stablehlo.add %arg1, %76 : tensor<4xi32>
    %78 = stablehlo.select %75, %77, %arg1 : tensor<4xi1>, tensor<4xi32>
    %79 = stablehlo.broadcast_in_dim %78, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %c_29 = stablehlo.constant dense<1> : tensor<i32>
    %80 = stablehlo.broadcast_in_dim %c_29, dims = [] : (tensor<i32>) -> tensor<4x1xi32>
    %81 = stablehlo.concatenate %79, %80, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
    %82 = "stablehlo.scatter"(%arg0, %81, %73) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %139 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %139 : tensor<f32>
    }) : (tensor<4x5xf32>, tensor<4x2xi32>, tensor<4x2xf32>) -> tensor<4x5xf32>
    %c_30 = stablehlo.constant dense<0> : tensor<i32>
    %83 = stablehlo.broadcast_in_dim %c_30, dims = [] : (tensor<i32>) -> tensor<2x2xi32>
    %84 = stablehlo.compare LT, %c, %83, SIGNED : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi1>
    %c_31 = stablehlo.constant dense<4> : tensor<i32>
    %85 = stablehlo.broadcast_in_dim %c_31, dims = [] : (tensor<i32>) -> tensor<2x2xi32>
    %86 = stablehlo.add %c, %85 : tensor<2x2xi32>
    %87 = stablehlo.select %84, %86, %c : tensor<2x2xi1>, tensor<2x2xi32>
    %88 = stablehlo.broadcast_in_dim %87, dims = [0, 1] : (tensor<2x2xi32>) -> tensor<2x2x1xi32>
    %cst_32 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<2x2x5xf32>
    %90 = "stablehlo.scatter"(%arg0, %88, %89) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %139 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %139 : tensor<f32>
    }) : (tensor<4x5xf32>, tensor<2x2x1xi32>, tensor<2x2x5xf32>) -> tensor<4x5xf32>
    %c_33 = stablehlo.constant dense<0> : tensor<i32>
    %91 = stablehlo.broadcast_in_dim %c_33, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %92 = stablehlo.compare LT, %arg1, %91, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_34 = stablehlo.constant dense<4> : tensor<i32>
    %93 = stablehlo.broadcast_in_dim %c_34, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %94 = stablehlo.add %arg1, %93 : tensor<4xi32>
    %95 = stablehlo.select %92, %94, %arg1 : tensor<4xi1>, tensor<4xi32>
    %96 = stablehlo.broadcast_in_dim %95, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %c_35 = stablehlo.constant dense<3> : tensor<1xi32>
    %c_36 = stablehlo.constant dense<0> : tensor<i32>
    %97 = stablehlo.broadcast_in_dim %c_36, dims = [] : (tensor<i32>) -> tensor<4x1xi32>
    %98 = stablehlo.compare GE, %96, %97, SIGNED : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi1>
    %99 = stablehlo.broadcast_in_dim %c_35, dims = [1] : (tensor<1xi32>) -> tensor<1x1xi32>
    %100 = stablehlo.broadcast_in_dim %99, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<4x1xi32>
    %101 = stablehlo.compare LE, %96, %100, SIGNED : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi1>
    %102 = stablehlo.and %98, %101 : tensor<4x1xi1>
    %c_37 = stablehlo.constant dense<true> : tensor<i1>
    %103 = stablehlo.reduce(%102 init: %c_37) applies stablehlo.and across dimensions = [1] : (tensor<4x1xi1>, tensor<i1>) -> tensor<4xi1>
    %104 = "stablehlo.gather"(%arg0, %96) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 5>}> : (tensor<4x5xf32>, tensor<4x1xi32>) -> tensor<4x5xf32>
    %105 = stablehlo.broadcast_in_dim %103, dims = [0] : (tensor<4xi1>) -> tensor<4x5xi1>
    %cst_38 = stablehlo.constant dense<7.000000e+00> : tensor<f32>
    %106 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %107 = stablehlo.select %105, %104, %106 : tensor<4x5xi1>, tensor<4x5xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<3x5xf32>
    %109 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %110 = "stablehlo.scatter"(%108, %109, %arg3) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %139 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %139 : tensor<f32>
    }) : (tensor<3x5xf32>, tensor<4x1xi32>, tensor<4x5xf32>) -> tensor<3x5xf32>
    %c_40 = stablehlo.constant dense<0> : tensor<i32>
    %111 = stablehlo.broadcast_in_dim %c_40, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %c_41 = stablehlo.constant dense<0> : tensor<i32>
    %112 = call @clip(%arg1, %c_41) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
    %c_42 = stablehlo.constant dense<0> : tensor<i32>
    %113 = stablehlo.broadcast_in_dim %c_42, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %114 = stablehlo.compare LT, %112, %113, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_43 = stablehlo.constant dense<5> : tensor<i32>
    %115 = stablehlo.broadcast_in_dim %c_43, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %116 = stablehlo.add %112, %115 : tensor<4xi32>
    %117 = stablehlo.select %114, %116, %112 : tensor<4xi1>, tensor<4xi32>
    %118 = stablehlo.broadcast_in_dim %117, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %c_44 = stablehlo.constant dense<1> : tensor<i32>
    %119 = stablehlo.broadcast_in_dim %c_44, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %120 = "stablehlo.scatter"(%111, %118, %119) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<i32>, %arg5: tensor<i32>):
      %139 = stablehlo.add %arg4, %arg5 : tensor<i32>
      stablehlo.return %139 : tensor<i32>
    }) : (tensor<5xi32>, tensor<4x1xi32>, tensor<4xi32>) -> tensor<5xi32>
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %122 = stablehlo.compare NE, %arg0, %121, FLOAT : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xi1>
    %123 = stablehlo.convert %122 : tensor<4x5xi1>
    %c_46 = stablehlo.constant dense<0> : tensor<i32>
    %124 = stablehlo.broadcast_in_dim %c_46, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %125 = stablehlo.compare LT, %arg1, %124, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_47 = stablehlo.constant dense<4> : tensor<i32>
    %126 = stablehlo.broadcast_in_dim %c_47, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %127 = stablehlo.add %arg1, %126 : tensor<4xi32>
    %128 = stablehlo.select %125, %127, %arg1 : tensor<4xi1>, tensor<4xi32>
    %129 = stablehlo.broadcast_in_dim %128, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %c_48 = stablehlo.constant dense<true> : tensor<i1>
    %130 = stablehlo.broadcast_in_dim %c_48, dims = [] : (tensor<i1>) -> tensor<4x5xi1>
    %131 = "stablehlo.scatter"(%123, %129, %130) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<i1>, %arg5: tensor<i1>):
      stablehlo.return %arg5 : tensor<i1>
    }) : (tensor<4x5xi1>, tensor<4x1xi32>, tensor<4x5xi1>) -> tensor<4x5xi1>
    %132 = stablehlo.slice %arg3 [0:2, 0:5] : (tensor<4x5xf32>) -> tensor<2x5xf32>
    %133 = stablehlo.reshape %132 : (tensor<2x5xf32>) -> tensor<2x1x5xf32>
    %134 = stablehlo.slice %133 [0:2, 0:1, 0:4] : (tensor<2x1x5xf32>) -> tensor<2x1x4xf32>
    %135 = "stablehlo.scatter"(%arg0, %c_0, %134) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %139 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %139 : tensor<f32>
    }) : (tensor<4x5xf32>, tensor<2x1xi32>, tensor<2x1x4xf32>) -> tensor<4x5xf32>
    %136 = stablehlo.slice %arg3 [0:3, 0:4] : (tensor<4x5xf32>) -> tensor<3x4xf32>
    %137 = stablehlo.reshape %136 : (tensor<3x4xf32>) -> tensor<3x2x2xf32>
    %138 = "stablehlo.scatter"(%arg0, %c_1, %137) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      stablehlo.return %arg5 : tensor<f32>
    }) : (tensor<4x5xf32>, tensor<3x2xi32>, tensor<3x2x2xf32>) -> tensor<4x5xf32>
    return %6, %13, %16, %31, %40, %47, %59, %69, %72, %82, %90, %107, %110, %120, %131, %135, %138 : tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<3x5xf32>, tensor<5xi32>, tensor<4x5xi1>, tensor<4x5xf32>, tensor<4x5xf32>
  }
  func.func private @clip(%arg0: tensor<4xi32>, %arg1: tensor<i32>) -> tensor<4xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<4xi32>
    return %2 : tensor<4xi32>
  }
}
